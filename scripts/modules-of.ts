import { gzipSync } from 'node:zlib'
import { build, type InlineConfig } from 'vite'

/** Modules that the same parts of the app need: which files they need at once, and their size in bytes, gzip. */
type Chunk = { modules: string[]; needs: string[]; code: string; size: number }

/** In which file a module goes that screens load at once, several of them or one; null for the others. */
type FileOf = (isShared: boolean) => (id: string) => string | null

/** What a request costs beside its bytes, in bytes: its headers, and its turn. */
const requestCost = 400
/** What a screen may load, in bytes, gzip, with room for the scripts of the page itself: see `screen-sizes.test.ts`. */
const mostOfScreen = 217_000
/** How much more a byte counts above that, and one on a screen that is opened often. */
const weightAbove = 6
const weightOfOften = 7

/**
 * Puts the modules that screens load at once into files, so that screens load little in few files: modules that the same
 * screens need are a file, and two files become one where screens load less then, because what is compressed together is
 * smaller. What a file needs is loaded by at least the same screens, so that no two files need each other. `neededOften`
 * are the modules without which the screens that are opened often are not shown; they may load others with them.
 */
export async function findFiles(
  config: InlineConfig,
  page: string,
  screens: Record<string, string[]>,
  openedOften: string[],
): Promise<{ fileOf: FileOf; neededOften: string[] }> {
  const { chunks, entries } = await chunksOf(config)
  const names = Object.keys(screens)
  /** The screens that load a part, one bit for each. */
  const loadedBy = new Map<string, bigint>()
  function load(name: string, by: bigint): void {
    const before = loadedBy.get(name) ?? 0n
    if ((before & by) === by) return
    loadedBy.set(name, before | by)
    for (const needed of chunks.get(name)?.needs ?? []) load(needed, by)
  }
  for (const [place, sources] of Object.values(screens).entries()) {
    for (const source of [page, ...sources]) {
      const chunk = [...chunks].find(([, { modules }]) =>
        modules.some((id) => id.endsWith(`/${source}`)),
      )
      if (!chunk) throw new Error(`${source} is in no file.`)
      load(chunk[0], 1n << BigInt(place))
    }
  }
  const places = new Map<bigint, number[]>()
  function placesOf(by: bigint): number[] {
    const known = places.get(by) ?? [...names.keys()].filter((place) => (by >> BigInt(place)) & 1n)
    places.set(by, known)
    return known
  }
  const isShared = (by: bigint) => (by & (by - 1n)) !== 0n
  const everywhere = (1n << BigInt(names.length)) - 1n
  const weights = names.map((screen) => (openedOften.includes(screen) ? weightOfOften : 1))
  const neededOften = [...loadedBy]
    .filter(([, by]) => placesOf(by).some((place) => openedOften.includes(names[place] ?? '')))
    .flatMap(([name]) => chunks.get(name)?.modules ?? [])

  const files = new Files(chunks, loadedBy, everywhere)
  const totals = names.map(() => 0)
  for (const by of files.all()) {
    for (const place of placesOf(by)) totals[place] = (totals[place] ?? 0) + files.sizeOf(by)
  }
  const above = (size: number) => Math.max(0, size - mostOfScreen)
  function costOf(growth: Map<bigint, number>): number {
    const more: number[] = []
    for (const [by, bytes] of growth) {
      for (const place of placesOf(by)) more[place] = (more[place] ?? 0) + bytes
    }
    let cost = 0
    for (const [place, bytes = 0] of more.entries()) {
      if (bytes === 0) continue
      const total = totals[place] ?? 0
      const newlyAbove = above(total + bytes) - above(total)
      cost += (weights[place] ?? 0) * (bytes + weightAbove * newlyAbove)
    }
    return cost
  }
  // The two whose union saves the most become one, until none saves anything.
  for (;;) {
    const candidates = files.all().filter((by) => isShared(by) && by !== everywhere)
    const pairs: { one: bigint; other: bigint; cost: number }[] = []
    for (const [at, one] of candidates.entries()) {
      for (const other of candidates.slice(at + 1)) {
        // What no screen needs both of saves nothing.
        if ((one & other) === 0n) continue
        const cost = costOf(files.growth(one, other))
        if (cost < 0) pairs.push({ one, other, cost })
      }
    }
    // The estimate says in which order they are worth compressing.
    let best: { one: bigint; other: bigint; cost: number } | null = null
    for (const { one, other, cost: estimate } of pairs.toSorted((x, y) => x.cost - y.cost)) {
      if (best && best.cost <= estimate) break
      const cost = costOf(files.exactGrowth(one, other))
      if (cost < (best?.cost ?? 0)) best = { one, other, cost }
    }
    if (!best) break
    const more = files.join(best.one, best.other)
    for (const [by, bytes] of more) {
      for (const place of placesOf(by)) totals[place] = (totals[place] ?? 0) + bytes
    }
  }

  const shared = files.all().filter((by) => isShared(by) && by !== everywhere)
  const fileOf = new Map<string, { file: string; isShared: boolean }>()
  for (const [name, by] of loadedBy) {
    const file = isShared(by)
      ? `screens-${shared.indexOf(by) + 1}`
      : (names[placesOf(by)[0] ?? 0] ?? '').replaceAll(/\W+/g, '-')
    for (const id of chunks.get(name)?.modules ?? []) {
      // What is imported when needed stays a file of its own.
      if (entries.has(id)) continue
      const ofPage = id.includes('node_modules') ? 'packages' : 'shell'
      fileOf.set(id, { file: by === everywhere ? ofPage : file, isShared: isShared(by) })
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

/** The files by the screens that load them. */
class Files {
  readonly #chunks: Map<string, Chunk>
  readonly #loadedBy: Map<string, bigint>
  readonly #files = new Map<bigint, Set<string>>()
  readonly #growths = new Map<string, { growth: Map<bigint, number>; isExact: boolean }>()
  readonly #sizes = new Map<string, number>()
  readonly #everywhere: bigint
  readonly #savedEverywhere: number

  constructor(chunks: Map<string, Chunk>, loadedBy: Map<string, bigint>, everywhere: bigint) {
    this.#chunks = chunks
    this.#loadedBy = loadedBy
    this.#everywhere = everywhere
    for (const [name, by] of loadedBy) this.#put(name, by)
    const parts = [...(this.#files.get(everywhere) ?? [])].flatMap((name) => chunks.get(name) ?? [])
    const together = gzipSync(parts.map(({ code }) => code).join('')).length
    this.#savedEverywhere = parts.reduce((sum, { size }) => sum + size, 0) - together
  }

  all(): bigint[] {
    return [...this.#files.keys()]
  }

  /** With the cost of its request. */
  sizeOf(by: bigint, names = this.#files.get(by), isExact = true): number {
    if (!names || names.size === 0) return 0
    const parts = [...names].flatMap((name) => this.#chunks.get(name) ?? [])
    const sum = parts.reduce((all, { size }) => all + size, 0)
    if (parts.length === 1) return requestCost + sum
    // Far more than compression looks back on, so what comes to it is only added.
    if (by === this.#everywhere) return requestCost + sum - this.#savedEverywhere
    // What unions of up to fifty parts of the app take at best.
    if (!isExact) return requestCost + Math.min(sum, 1.9 * sum ** 0.9)
    const key = [...names].toSorted().join()
    const size = this.#sizes.get(key) ?? gzipSync(parts.map(({ code }) => code).join('')).length
    this.#sizes.set(key, size)
    return requestCost + size
  }

  /** By how much each file grows when two become one; estimated. */
  growth(one: bigint, other: bigint): Map<bigint, number> {
    const pair = this.#pair(one, other)
    const known = this.#growths.get(pair)
    if (known) return known.growth
    const growth = this.#compare(this.#moves(one, other), false)
    this.#growths.set(pair, { growth, isExact: false })
    return growth
  }

  exactGrowth(one: bigint, other: bigint): Map<bigint, number> {
    const pair = this.#pair(one, other)
    const known = this.#growths.get(pair)
    if (known?.isExact) return known.growth
    const growth = this.#compare(this.#moves(one, other), true)
    this.#growths.set(pair, { growth, isExact: true })
    return growth
  }

  #pair(one: bigint, other: bigint): string {
    return `${one}:${this.#files.get(one)?.size},${other}:${this.#files.get(other)?.size}`
  }

  /** Makes two files one, and tells by how much each file grows. */
  join(one: bigint, other: bigint): Map<bigint, number> {
    const moves = this.#moves(one, other)
    const growth = this.#compare(moves, true)
    for (const [name, by] of moves) {
      const before = this.#loadedBy.get(name) ?? 0n
      const file = this.#files.get(before)
      file?.delete(name)
      if (file?.size === 0) this.#files.delete(before)
      this.#loadedBy.set(name, by)
      this.#put(name, by)
    }
    return growth
  }

  #put(name: string, by: bigint): void {
    this.#files.set(by, (this.#files.get(by) ?? new Set()).add(name))
  }

  /** What more screens load when two files become one: their parts, and what these need. */
  #moves(one: bigint, other: bigint): Map<string, bigint> {
    const moves = new Map<string, bigint>()
    const move = (name: string) => {
      const by = this.#loadedBy.get(name) ?? 0n
      if (moves.has(name) || (by | one | other) === by) return
      moves.set(name, by | one | other)
      for (const needed of this.#chunks.get(name)?.needs ?? []) move(needed)
    }
    for (const by of [one, other]) for (const name of this.#files.get(by) ?? []) move(name)
    return moves
  }

  #compare(moves: Map<string, bigint>, isExact: boolean): Map<bigint, number> {
    const after = new Map<bigint, Set<string>>()
    const changed = (by: bigint) => {
      const file = after.get(by) ?? new Set(this.#files.get(by))
      after.set(by, file)
      return file
    }
    for (const [name, by] of moves) {
      changed(this.#loadedBy.get(name) ?? 0n).delete(name)
      changed(by).add(name)
    }
    const size = (by: bigint, file?: Set<string>) => this.sizeOf(by, file, isExact)
    return new Map([...after].map(([by, file]) => [by, size(by, file) - size(by)]))
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
