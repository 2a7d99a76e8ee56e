import type { OpenBench } from './bench.ts'
import { type Figure, once } from './measure.ts'

/** A request is given up then. */
const mostTime = 60_000

/** Another currency of the account, which is written into every deal; beside an update of the same rows. */
export async function benchCurrency(open: OpenBench, count: number): Promise<Figure[]> {
  const bench = await open()
  try {
    const owner = await bench.fillTwo(async (id) => {
      await bench.query(`
        insert into public.deals (user_id, name, value, currency, created_at)
        select '${id}', 'Deal ' || n, n % 9973 + 0.5, case when n % 10 = 0 then 'EUR' end, now() - n * interval '1 minute'
        from generate_series(1, ${count}) n`)
    })
    const began = performance.now()
    const wasAnswered = await bench
      .rpc('change_currency', { currency: 'CHF', keep: true, rate: 0.9 }, owner.token)
      .then(
        () => true,
        (error: unknown) => {
          // That it takes too long is a figure as well.
          if (performance.now() - began < mostTime) throw error
          return false
        },
      )
    const ours = performance.now() - began
    const plain = await once(() =>
      bench.query(`update public.deals set value = value + 1 where user_id = '${owner.id}'`),
    )
    return [
      {
        what: 'currency of the account changed',
        rows: count,
        ours,
        plain,
        isMet: wasAnswered,
        goal: '< 60 s, else given up',
      },
    ]
  } finally {
    await bench.close()
  }
}
