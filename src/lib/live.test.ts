import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFreshener, showsTables } from './live.ts'
import { noteShown } from './long-lists.ts'

describe('which queries are old', () => {
  test.each([
    ['companies', ['contacts', 'pages', {}], true],
    ['companies', ['dashboard', 'UTC'], true],
    ['companies', ['kept'], true],
    ['companies', ['preferences'], false],
    ['companies', ['saved-views', 'contacts'], false],
    ['companies', ['import rows'], false],
    ['saved_views', ['saved-views', 'contacts'], true],
    ['saved_views', ['history', 'pages'], true],
    ['saved_views', ['contacts', 'pages'], false],
    ['preferences', ['kept'], true],
    ['preferences', ['contacts', 'pages'], false],
    ['calendar_feeds', ['calendar-feed'], true],
    ['fields', ['contacts', 'pages'], true],
  ])('a change of %s makes %j old: %s', (table, key, isOld) => {
    expect(showsTables(key, new Set([table]))).toBe(isOld)
  })
})

describe('reading again', () => {
  let queryClient: QueryClient
  const stops: (() => void)[] = []
  beforeEach(() => {
    vi.useFakeTimers()
    queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  })
  afterEach(() => {
    for (const stop of stops.splice(0)) stop()
    queryClient.clear()
    vi.useRealTimers()
  })

  /** A query on the screen that counts its reads; each takes so many milliseconds. */
  async function shown(key: string, takes = 0) {
    const read = vi.fn(() => new Promise((resolve) => setTimeout(resolve, takes, { read: key })))
    const observer = new QueryObserver(queryClient, { queryKey: [key], queryFn: read })
    stops.push(observer.subscribe(() => {}))
    await vi.advanceTimersByTimeAsync(takes)
    return read
  }
  function freshener(isTyping = () => false) {
    const made = createFreshener(queryClient, isTyping)
    stops.push(made.stop)
    return made
  }

  test('a burst is read once, and what comes while it is read once more', async () => {
    const read = await shown('companies', 500)
    const { note } = freshener()
    for (let count = 0; count < 50; count += 1) note(['companies'])
    await vi.advanceTimersByTimeAsync(200)
    expect(read).toHaveBeenCalledTimes(2)
    for (let count = 0; count < 50; count += 1) note(['companies'])
    await vi.advanceTimersByTimeAsync(5000)
    expect(read).toHaveBeenCalledTimes(3)
  })

  test('a first read that began before the change is done again', async () => {
    const { note } = freshener()
    const coming = shown('companies', 1000)
    note(['companies'])
    await vi.advanceTimersByTimeAsync(5000)
    expect(await coming).toHaveBeenCalledTimes(2)
  })

  test('it waits for a write of this window', async () => {
    const read = await shown('companies')
    const write = queryClient
      .getMutationCache()
      .build(queryClient, { mutationFn: () => new Promise((resolve) => setTimeout(resolve, 2000)) })
    void write.execute(undefined)
    freshener().note(['companies'])
    await vi.advanceTimersByTimeAsync(1500)
    expect(read).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1000)
    expect(read).toHaveBeenCalledTimes(2)
  })

  test('settings wait while something is typed, the rest does not', async () => {
    let isTyping = true
    const [settings, companies] = [await shown('preferences'), await shown('companies')]
    freshener(() => isTyping).note(['preferences', 'companies'])
    await vi.advanceTimersByTimeAsync(3000)
    expect(companies).toHaveBeenCalledTimes(2)
    expect(settings).toHaveBeenCalledTimes(1)
    isTyping = false
    await vi.advanceTimersByTimeAsync(2000)
    expect(settings).toHaveBeenCalledTimes(2)
  })

  test('other settings make everything old that is counted by them', async () => {
    let currency = 'EUR'
    const observer = new QueryObserver(queryClient, {
      queryKey: ['preferences'],
      queryFn: () => ({ currency, screens: {} }),
    })
    stops.push(observer.subscribe(() => {}))
    const read = await shown('deals')
    currency = 'USD'
    freshener().note(['preferences'])
    await vi.advanceTimersByTimeAsync(1000)
    expect(read).toHaveBeenCalledTimes(2)
  })

  /** A list of the numbers in `ids` on the screen, in pages of four, of which so many are loaded. */
  async function listed(ids: () => number[], loaded: number) {
    const queryKey = ['companies', 'pages']
    const read = vi.fn(async ({ pageParam }: { pageParam: number | null }) => {
      const rows = ids()
        .filter((id) => pageParam === null || id > pageParam)
        .slice(0, 4)
      const last = rows.at(-1)
      return {
        rows: rows.map((id) => ({ id: String(id) })),
        next: last === undefined || last === ids().at(-1) ? null : last,
      }
    })
    const observer = new InfiniteQueryObserver(queryClient, {
      queryKey,
      queryFn: read,
      initialPageParam: null as number | null,
      getNextPageParam: (last: Awaited<ReturnType<typeof read>>) => last.next,
    })
    stops.push(observer.subscribe(() => {}))
    await vi.advanceTimersByTimeAsync(0)
    for (let page = 1; page < loaded; page += 1) await observer.fetchNextPage()
    const query = queryClient.getQueryCache().find({ queryKey })
    return {
      read,
      query,
      show: (...places: number[]) => noteShown(queryClient, query, places),
      // As lists show them: a row that is in two pages once.
      rows: () => [
        ...new Set(
          observer.getCurrentResult().data?.pages.flatMap((page) => page.rows.map(({ id }) => id)),
        ),
      ],
    }
  }
  const tens = Array.from({ length: 100 }, (_, place) => place * 10)

  test('of a list that was scrolled far, the pages on the screen are read, and no row gets lost', async () => {
    let ids = tens
    const { read, query, show, rows } = await listed(() => ids, 22)
    // The second and third row of the eleventh page.
    show(41, 42)
    read.mockClear()
    ids = [...ids, 405, 5].sort((one, other) => one - other)
    const { note } = freshener()
    note(['companies'])
    await vi.advanceTimersByTimeAsync(1000)
    expect(read.mock.calls.map(([{ pageParam }]) => pageParam)).toEqual([390, 420])
    expect(rows().slice(39, 46)).toEqual(['390', '400', '405', '410', '420', '430', '440'])
    // Nothing else was read, and is still old.
    expect(rows()[1]).toBe('10')
    expect(query?.state.isInvalidated).toBe(true)
    ids = ids.filter((id) => id !== 410 && id !== 430)
    note(['companies'])
    await vi.advanceTimersByTimeAsync(1000)
    expect(rows().slice(39, 45)).toEqual(['390', '400', '405', '420', '440', '450'])
    // One of the next page moves up.
    ids.splice(ids.indexOf(405), 0, ...ids.splice(ids.indexOf(440), 1))
    note(['companies'])
    await vi.advanceTimersByTimeAsync(1000)
    expect(rows().slice(39, 45)).toEqual(['390', '400', '440', '405', '420', '450'])
    // At its top it begins anew.
    show(0, 1, 2)
    await vi.advanceTimersByTimeAsync(1000)
    expect(rows()).toEqual(['0', '5', '10', '20'])
    expect(query?.state.isInvalidated).toBe(false)
  })

  test('of a shorter one all pages are read, and what is on the screen stays in it however many come in above', async () => {
    let ids = tens
    const { query, show, rows } = await listed(() => ids, 5)
    show(9, 10, 11)
    const isShown = () => ['90', '100', '110'].every((id) => rows().includes(id))
    const { note } = freshener()
    ids = [-8, -7, -6, -5, -4, -3, -2, -1, ...tens]
    note(['companies'])
    await vi.advanceTimersByTimeAsync(1000)
    expect(rows()).toEqual(ids.slice(0, 28).map(String))
    expect(query?.state.isInvalidated).toBe(false)
    // As an import.
    ids = [...Array.from({ length: 100 }, (_, place) => place - 200), ...ids]
    note(['companies'])
    await vi.advanceTimersByTimeAsync(1000)
    expect([isShown(), query?.state.isInvalidated]).toEqual([true, true])
    show(0, 1, 2)
    await vi.advanceTimersByTimeAsync(1000)
    expect(rows()).toEqual(['-200', '-199', '-198', '-197'])
  })

  test('a hidden window reads when it is shown', async () => {
    const read = await shown('companies')
    const { note, wake } = freshener()
    const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    note(['companies'])
    await vi.advanceTimersByTimeAsync(5000)
    expect(read).toHaveBeenCalledTimes(1)
    hidden.mockRestore()
    wake()
    await vi.advanceTimersByTimeAsync(1000)
    expect(read).toHaveBeenCalledTimes(2)
  })
})
