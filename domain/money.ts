import { numberFormat } from './figures.ts'
import { habits } from './habits.ts'

/** The code of a currency, or nothing for that of the account. */
type Currency = string | null | undefined

/** '$34,500.50', where a difference of cents counts. */
export function exactMoney(amount: number, currency?: Currency): string {
  return moneyFormat(currency, {}).format(amount)
}

/** '$34,500'. A sum comes from the database as text, because it may have more digits than a number. */
export function shownMoney(amount: number | string, currency?: Currency): string {
  // `format` is exact for numeric text of any length, but its type accepts only literals.
  return moneyFormat(currency, { maximumFractionDigits: 0 }).format(amount as number)
}

/** '$34,500', '$34,500.50': with cents where there are any. */
export function toldMoney(amount: number, currency?: Currency): string {
  return moneyFormat(currency, { trailingZeroDisplay: 'stripIfInteger' }).format(amount)
}

/** '$34.5K', where there is little room. The marks of a chart have two digits: with one, 1.05 and 1.1 million would read alike. */
export function shortMoney(amount: number, digits = 1): string {
  const digitsShown = { minimumFractionDigits: 0, maximumFractionDigits: digits }
  return moneyFormat(null, { notation: 'compact', ...digitsShown }).format(amount)
}

/** '$', '€', 'CHF': what stands at an amount of this currency. */
export function currencySign(currency?: Currency): string {
  const parts = moneyFormat(currency, {}).formatToParts(0)
  return parts.find(({ type }) => type === 'currency')?.value ?? ''
}

function moneyFormat(currency: Currency, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return numberFormat({ style: 'currency', currency: currency ?? habits().currency, ...options })
}

type Priced = { value: number; currency: string | null; rate: number | null }

/** What a deal is worth in the account's currency, as the database reckons; null where no rate is known. */
export function worthOf({ value, currency, rate }: Priced): number | null {
  if (currency === null) return value
  return rate === null ? null : Math.round(value * rate * 100) / 100
}

/** How many deals of each currency are not in a sum. */
export type Uncounted = Record<string, number>

/** '2 deals in CHF are not counted: no rate', for each currency; empty when all are counted. */
export function uncountedWords(uncounted: Uncounted): string[] {
  return Object.entries(uncounted)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([currency, count]) =>
      count === 1
        ? `1 deal in ${currency} is not counted: no rate`
        : `${numberFormat({}).format(count)} deals in ${currency} are not counted: no rate`,
    )
}

/** Those of several sums together. */
export function allUncounted(parts: Uncounted[]): Uncounted {
  const all: Uncounted = {}
  for (const [currency, count] of parts.flatMap((part) => Object.entries(part))) {
    all[currency] = (all[currency] ?? 0) + count
  }
  return all
}
