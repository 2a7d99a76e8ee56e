/** One line of the benchmark's table. */
export type Figure = {
  what: string
  rows: number
  /** Median at the server, in milliseconds. */
  ours: number
  /** Median of the same work as plain SQL on the same connection, in the same run. */
  plain: number | null
  /** Whether the goal is met; null where none was set. */
  isMet: boolean | null
  goal: string
}

/** The middle of several runs, in milliseconds, after some that do not count. */
export async function median(run: () => Promise<unknown>, times = 15, warmUp = 3): Promise<number> {
  for (let turn = 0; turn < warmUp; turn++) await run()
  const durations: number[] = []
  for (let turn = 0; turn < times; turn++) {
    const started = performance.now()
    await run()
    durations.push(performance.now() - started)
  }
  return middle(durations)
}

export function middle(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** How long something takes that can be done only once. */
export async function once(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}

/** Two measurements taken in turn, so that a busy moment of the machine meets both. */
async function medians(
  ours: () => Promise<unknown>,
  plain: () => Promise<unknown>,
): Promise<{ ours: number; plain: number }> {
  const rounds = 5
  const sums = { ours: [] as number[], plain: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    sums.ours.push(await median(ours, 5, round === 0 ? 3 : 0))
    sums.plain.push(await median(plain, 5, round === 0 ? 3 : 0))
  }
  return { ours: middle(sums.ours), plain: middle(sums.plain) }
}

/** Three times the plain SQL plus 10 ms: the goal of every list and search. */
function withinThreeTimes({ ours, plain }: { ours: number; plain: number }): boolean {
  return ours <= 3 * plain + 10
}

/** Measures requests beside the same work as plain SQL, and notes whether they meet the goal. */
export function comparison(figures: Figure[], rows: number, prefix = '') {
  return async (what: string, ours: () => Promise<unknown>, plain: () => Promise<unknown>) => {
    const measured = await medians(ours, plain)
    const isMet = withinThreeTimes(measured)
    const goal = '≤ 3 × plain + 10 ms'
    figures.push({ what: prefix + what, rows, ...measured, isMet, goal })
    return measured
  }
}
