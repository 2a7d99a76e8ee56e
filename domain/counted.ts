import { shownNumber } from './figures.ts'

/** '1 company', '1,204 companies'. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${shownNumber(count)} ${count === 1 ? one : many}`
}
