import { shownNumber } from './figures.ts'
/** The change from one period to the next. */
export type Change = { words: string; direction: 'up' | 'down' | 'none' }

/** '+12%', '-8%', '0%', in whole percent; 'New' when there is nothing to compare with, and a dash when there is nothing at all. */
export function percentChange(recent: number | string, before: number | string): Change {
  const [now, then] = [Number(recent), Number(before)]
  if (then === 0) return { words: now === 0 ? '–' : 'New', direction: 'none' }
  const percent = Math.round(((now - then) / then) * 100)
  if (percent === 0) return { words: '0%', direction: 'none' }
  const figure = shownNumber(Math.abs(percent))
  return percent > 0
    ? { words: `+${figure}%`, direction: 'up' }
    : { words: `-${figure}%`, direction: 'down' }
}
