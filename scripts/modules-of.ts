import { gzipSync } from 'node:zlib'
import { build, type InlineConfig } from 'vite'

/** Modules that the same parts of the app need: which files they need at once, and their size in bytes, gzip. */
type Chunk = { modules: string[]; needs: string[]; code: string; size: number }

/** In which file a module goes that screens load at once, several of them or one; null for the others. */
type FileOf = (isShared: boolean) => (id: string) => string | null

/** A file with less is not worth a request of its own; in bytes, gzip. */
const smallestFile = 2000
/** How much more a byte that is loaded in vain counts on a screen that is opened often. */
const weightOfOften = 30

/**
 * Puts the modules that screens load at once into files, so that a screen loads few, and little that it does not need:
 * modules that the same screens need are a file, and files that would be small join others. What a file needs is
 * loaded by at least the same screens, so that no two files need each other. `neededOften` are the modules without which
 * the screens that are opened often are not shown; they may load others with them.
 */
export async function findFiles(
  config: InlineConfig,
  page: string,
  screens: Record<string, string[]>,
  openedOften: string[],
): Promise<{ fileOf: FileOf; neededOften: string[] }> {
  const { chunks, entries } = await chunksOf(config)
  const loadedBy = new Map<string, Set<string>>()
  function load(name: string, screen: string): void {
    const by = loadedBy.get(name) ?? new Set()
    if (by.has(screen)) return
    loadedBy.set(name, by.add(screen))
    for (const needed of chunks.get(name)?.needs ?? []) load(needed, screen)
  }
  const names = Object.keys(screens)
  for (const [screen, sources] of Object.entries(screens)) {
    for (const source of [page, ...sources]) {
      const chunk = [...chunks].find(([, { modules }]) =>
        modules.some((id) => id.endsWith(`/${source}`)),
      )
      if (!chunk) throw new Error(`${source} is in no file.`)
      load(chunk[0], screen)
    }
  }

  const isOften = (screen: string) => openedOften.includes(screen)
  const neededOften = [...loadedBy]
    .filter(([, by]) => [...by].some(isOften))
    .flatMap(([name]) => chunks.get(name)?.modules ?? [])
  const weights = new Map(names.map((screen) => [screen, isOften(screen) ? weightOfOften : 1]))
  const keyOf = (by: Set<string>) => names.filter((name) => by.has(name)).join(' ')
  function files(): Map<string, { by: Set<string>; chunks: string[] }> {
    const found = new Map<string, { by: Set<string>; chunks: string[] }>()
    for (const [name, by] of loadedBy) {
      const file = found.get(keyOf(by)) ?? { by, chunks: [] }
      file.chunks.push(name)
      found.set(keyOf(by), file)
    }
    return found
  }
  const sizes = new Map<string, number>()
  function sizeOf(names: string[]): number {
    const key = names.toSorted().join(' ')
    const code = () => names.map((name) => chunks.get(name)?.code ?? '').join('')
    const size = sizes.get(key) ?? gzipSync(code()).length
    sizes.set(key, size)
    return size
  }
  /** How many bytes screens would load that they do not need. */
  function inVain(file: { by: Set<string>; chunks: string[] }): number {
    const seen = new Set<string>()
    function bytes(name: string): number {
      if (seen.has(name)) return 0
      seen.add(name)
      const { needs, size } = chunks.get(name) ?? { needs: [], size: 0 }
      const by = loadedBy.get(name)
      // Asked of every pair of files again and again: no lists are made for it.
      let newly = 0
      for (const screen of file.by) if (!by?.has(screen)) newly += weights.get(screen) ?? 0
      return newly === 0 ? 0 : newly * size + needs.reduce((sum, each) => sum + bytes(each), 0)
    }
    return file.chunks.reduce((sum, name) => sum + bytes(name), 0)
  }
  // The smallest file joins another, that which makes screens load the least in vain, until none is small.
  for (;;) {
    const all = [...files().values()].filter(({ by }) => by.size > 1)
    const [small] = all
      .map((file) => ({ ...file, size: sizeOf(file.chunks) }))
      .filter(({ size }) => size < smallestFile)
      .toSorted((one, other) => one.size - other.size)
    if (!small) break
    const [nearest] = all
      .filter(({ by }) => keyOf(by) !== keyOf(small.by))
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
  const fileOf = new Map<string, { file: string; isShared: boolean }>()
  for (const [name, by] of loadedBy) {
    const key = keyOf(by)
    const isShared = key.includes(' ')
    const file = isShared ? `screens-${shared.indexOf(key) + 1}` : key.replaceAll(/\W+/g, '-')
    for (const id of chunks.get(name)?.modules ?? []) {
      // What is imported when needed stays a file of its own.
      if (entries.has(id)) continue
      const ofPage = id.includes('node_modules') ? 'packages' : 'shell'
      fileOf.set(id, { file: key === everywhere ? ofPage : file, isShared })
    }
  }
  return {
    fileOf: (isShared) => (id) => {
      const place = fileOf.get(id)
      return place?.isShared === isShared ? place.file : null
    },
    neededOften,
  }
}

/** Found by a build that writes nothing: only the bundler knows what remains of a package once everything unused is gone. */
async function chunksOf(config: InlineConfig) {
  const built = await build({
    ...config,
    configFile: false,
    logLevel: 'silent',
    build: { ...config.build, write: false },
  })
  if (!('output' in built)) throw new Error('One build was asked for.')
  const found = built.output.filter((part) => part.type === 'chunk')
  const chunks = new Map<string, Chunk>(
    found.map(({ fileName, moduleIds, imports, code }) => [
      fileName,
      { modules: moduleIds, needs: imports, code, size: gzipSync(code).length },
    ]),
  )
  return { chunks, entries: new Set(found.map(({ facadeModuleId }) => facadeModuleId)) }
}
