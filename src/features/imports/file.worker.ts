import { createFileSession } from './file-session.ts'

/** In a worker, because fifty megabytes take seconds to read. */
const session = createFileSession()

self.onmessage = async ({ data: { id, name, args } }: MessageEvent) => {
  // The page calls the session's functions by name: see file-reader.ts.
  const work = session[name as keyof typeof session] as (...all: unknown[]) => Promise<unknown>
  try {
    self.postMessage({ id, answer: await work(...args) })
  } catch (error) {
    self.postMessage({ id, problem: String(error) })
  }
}
