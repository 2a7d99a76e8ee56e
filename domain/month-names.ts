import { fold } from './fold.ts'

/**
 * How the months begin in English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish and Polish, without
 * accents. No beginning means two months.
 */
const beginnings = [
  ['jan', 'ene', 'gen', 'sty'],
  ['feb', 'fev', 'lut'],
  ['mar', 'maa', 'mrt', 'mrz'],
  ['apr', 'avr', 'abr', 'kwi'],
  ['may', 'mai', 'mag', 'mei', 'maj'],
  ['jun', 'juin', 'giu', 'cze'],
  ['jul', 'juil', 'lug', 'lip'],
  ['aug', 'aou', 'ago', 'sie'],
  ['sep', 'set', 'wrz'],
  ['oct', 'okt', 'ott', 'out', 'paz'],
  ['nov', 'lis'],
  ['dec', 'dez', 'dic', 'gru'],
]

/** The number of a month by its name, short or long; 0 when it is none. */
export function monthNumber(name: string): number {
  const folded = fold(name)
  return beginnings.findIndex((all) => all.some((start) => folded.startsWith(start))) + 1
}
