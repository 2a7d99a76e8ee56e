/** For tests: jsdom has no IndexedDB, so `idb-keyval` is replaced by this, with a map for each database. */

type Objects = Map<string, unknown>
type Place = (mode: string, run: (objects: Objects) => unknown) => Promise<unknown>

/** By name, such as `solo-<account>`. */
export const databases = new Map<string, Objects>()

const put = (key: string, value: unknown) => (objects: Objects) =>
  void objects.set(key, structuredClone(value))

export const idbKeyval = {
  createStore(name: string): Place {
    const objects: Objects = databases.get(name) ?? new Map()
    databases.set(name, objects)
    // A transaction begins a moment later, when the database is open.
    return async (_mode, run) => {
      await Promise.resolve()
      return run(objects)
    }
  },
  get: (key: string, place: Place) => place('readonly', (objects) => objects.get(key)),
  getMany: (keys: string[], place: Place) =>
    place('readonly', (objects) => keys.map((key) => objects.get(key))),
  set: (key: string, value: unknown, place: Place) => place('readwrite', put(key, value)),
  setMany: (entries: [string, unknown][], place: Place) =>
    place('readwrite', (objects) => {
      for (const [key, value] of entries) put(key, value)(objects)
    }),
  del: (key: string, place: Place) => place('readwrite', (objects) => objects.delete(key)),
  keys: (place: Place) => place('readonly', (objects) => [...objects.keys()]),
  clear: (place: Place) => place('readwrite', (objects) => objects.clear()),
}
