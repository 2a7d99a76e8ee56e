import { gzipSync } from 'node:zlib'
import { build, type InlineConfig } from 'vite'

/** Modules that the same parts of the app need: which files they need at once, and their code, minified. */
type Chunk = { modules: string[]; needs: string[]; code: string }

/** Which screens load something. */
type Screens = Set<string>
type SharedFile = { by: Screens; chunks: string[] }

/** In which file a module goes that screens load at once, several of them or one; null for the others. */
type FileOf = (isShared: boolean) => (id: string) => string | null

/** A file with less is not worth a request of its own; in bytes, compressed: 3 kB and some more, because it is estimated. */
const smallestFile = 3300

/**
 * Puts the modules that screens load at once into files, so that a screen loads few, and little that it does not need:
 * modules that the same screens need are a file, and files that would be small join others. What a file needs is
 * loaded by at least the same screens, so that no two files need each other. What all screens load a moment later has files
 * of its own.
 */
export async function findFiles(
  config: InlineConfig,
  page: string,
  screens: Record<string, string[]>,
  later: Record<string, string[]>,
): Promise<FileOf> {
  return filesOf(await chunksOf(config), page, screens, later)
}

function filesOf(
  chunks: Map<string, Chunk>,
  page: string,
  atOnce: Record<string, string[]>,
  later: Record<string, string[]>,
): FileOf {
  const screens = { ...atOnce, ...later }
  const names = Object.keys(screens)
  const loadedBy = new Map<string, Screens>()
  function load(name: string, screen: string): void {
    const by = loadedBy.get(name) ?? new Set()
    if (by.has(screen)) return
    loadedBy.set(name, by.add(screen))
    for (const needed of chunks.get(name)?.needs ?? []) load(needed, screen)
  }
  for (const [screen, sources] of Object.entries(screens)) {
    for (const source of [page, ...sources]) {
      const chunk = [...chunks].find(([, { modules }]) =>
        modules.some((id) => id.endsWith(`/${source}`)),
      )
      if (!chunk) throw new Error(`${source} is in no file.`)
      load(chunk[0], screen)
    }
  }

  const sizes = new Map([...chunks].map(([name, { code }]) => [name, compressed(code)]))
  const sizeOf = (name: string) => sizes.get(name) ?? 0
  const weights = weightsOf(Object.keys(atOnce), loadedBy, sizeOf)
  const keyOf = (by: Screens) => names.filter((name) => by.has(name)).join(' ')
  function files(): Map<string, SharedFile> {
    const found = new Map<string, SharedFile>()
    for (const [name, by] of loadedBy) {
      const file = found.get(keyOf(by)) ?? { by, chunks: [] }
      file.chunks.push(name)
      found.set(keyOf(by), file)
    }
    return found
  }
  /** How much screens would load that they do not need; more where they load much already. */
  function inVain(file: SharedFile): number {
    const seen = new Set<string>()
    function bytes(name: string): number {
      if (seen.has(name)) return 0
      seen.add(name)
      const newly = [...file.by].filter((screen) => !loadedBy.get(name)?.has(screen))
      if (newly.length === 0) return 0
      const weight = newly.reduce((sum, screen) => sum + (weights.get(screen) ?? weightOfLater), 0)
      const needs = chunks.get(name)?.needs ?? []
      return weight * sizeOf(name) + needs.reduce((sum, each) => sum + bytes(each), 0)
    }
    return file.chunks.reduce((sum, name) => sum + bytes(name), 0)
  }
  const codeOf = (file: SharedFile) => file.chunks.map((name) => chunks.get(name)?.code).join('\n')
  // The smallest file joins another, that which makes screens load the least in vain, until none is small.
  for (;;) {
    const all = [...files().values()]
    const [small] = all
      .map((file) => ({ file, size: compressed(codeOf(file)) }))
      .filter(({ size }) => size < smallestFile)
      .toSorted((one, other) => one.size - other.size)
      .map(({ file }) => file)
    if (!small) break
    const [nearest] = all
      .filter((each) => each !== small)
      .map((each) => ({
        by: new Set([...small.by, ...each.by]),
        chunks: [...small.chunks, ...each.chunks],
      }))
      .toSorted((one, other) => inVain(one) - inVain(other))
    if (!nearest) break
    for (const name of nearest.chunks) for (const screen of nearest.by) load(name, screen)
  }

  const everywhere = keyOf(new Set(names))
  const shared = [...files().keys()].filter((key) => key.includes(' ') && key !== everywhere)
  const ofParts = new Set(
    [...chunks]
      .filter(([name]) => !loadedBy.has(name))
      .flatMap(([, { needs }]) => needs.filter((each) => loadedBy.get(each)?.size === 1)),
  )
  /** What parts need of a screen's own is not in the file of its page, if it fills one. */
  function isApart(screen: string, name: string): boolean {
    const own = files().get(screen)?.chunks ?? []
    const ofBoth = own.filter((each) => ofParts.has(each))
    return (
      ofBoth.includes(name) && compressed(codeOf({ by: new Set(), chunks: ofBoth })) >= smallestFile
    )
  }
  const fileOf = new Map<string, { file: string; isShared: boolean }>()
  for (const [name, by] of loadedBy) {
    const key = keyOf(by)
    const isShared = key.includes(' ')
    const ofScreen = isApart(key, name)
      ? key.replaceAll(/\W+/g, '-')
      : nameOfScreen(key, screens[key])
    const file = isShared ? `screens-${shared.indexOf(key) + 1}` : ofScreen
    for (const id of chunks.get(name)?.modules ?? []) {
      const ofPage = id.includes('node_modules') ? 'packages' : 'shell'
      fileOf.set(id, { file: key === everywhere ? ofPage : file, isShared })
    }
  }
  return (isShared) => (id) => {
    const place = fileOf.get(id)
    return place?.isShared === isShared ? place.file : null
  }
}

/** That of its page, such as `deals-page`. */
function nameOfScreen(screen: string, sources: string[] = []): string {
  const [page, ...others] = sources
  return (others.length === 0 && page?.match(/([\w-]+)\.tsx?$/)?.[1]) || screen
}

/** What comes later delays no first row, but what a screen needs must not grow with it either. */
const weightOfLater = 0.5

/** What a byte in vain costs on each screen: the one that loads the most is what the budget is for. */
function weightsOf(
  names: string[],
  loadedBy: Map<string, Screens>,
  sizeOf: (chunk: string) => number,
): Map<string, number> {
  const loaded = names.map((screen) =>
    [...loadedBy].reduce((sum, [name, by]) => sum + (by.has(screen) ? sizeOf(name) : 0), 0),
  )
  const most = Math.max(...loaded)
  return new Map(names.map((screen, place) => [screen, ((loaded[place] ?? 0) / most) ** 4]))
}

function compressed(code: string): number {
  return gzipSync(code, { level: 9 }).length
}

/** Found by a build that writes nothing: only the bundler knows what remains of a package once everything unused is gone. */
async function chunksOf(config: InlineConfig): Promise<Map<string, Chunk>> {
  const built = await build({
    ...config,
    configFile: false,
    logLevel: 'silent',
    build: { ...config.build, write: false },
  })
  if (!('output' in built)) throw new Error('One build was asked for.')
  const found = built.output.filter((part) => part.type === 'chunk')
  return new Map(
    found.map(({ fileName, moduleIds, imports, code }) => [
      fileName,
      // Without the list of what its parts load: in files of many modules it is another one.
      { modules: moduleIds, needs: imports, code: code.replace(/\bm\.f=\[[^\]]*\]/, '') },
    ]),
  )
}
