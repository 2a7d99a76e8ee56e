import { typedMoney } from './amount.ts'
import { currencies } from './currencies.ts'
import { habits } from './habits.ts'
import { currencyAt, maySign } from './import-currency.ts'

export type Money = {
  value: number
  /** The code, or null for the account's own currency. */
  currency: string | null
}

/** Codes that are written in lower case too; others are English words, such as `all` and `top`. */
const smallCodes = 'eur|usd|gbp|chf|sek|nok|dkk|pln|czk|cad|aud|jpy'
const sign = `[A-Za-z]{0,3}\\p{Sc}`
const before = `${sign}|${currencies.join('|')}`
const after = `\\p{Sc}|${currencies.join('|')}|${smallCodes}|euros?|dollars?|pounds?`
const number = `\\d{1,3}(?:[.,'’]\\d{3})+(?:[.,]\\d{1,2})?|\\d+(?:[.,]\\d+)?`
const end = '(?:[,.;](?=\\s)|(?=[\\s,.;]))'

/** `$5k`, `€ 1.200,50`, `900 EUR`; without a currency only thousands: `5k`. */
const patterns = [
  `(?<=\\s)(?:${before})\\s?(?<number>${number})(?<factor>[kKmM])?(?:\\s?(?:${after}))?${end}`,
  `(?<=\\s)(?<number>${number})\\s?(?<factor>[kKmM])?\\s?(?:${after})${end}`,
  `(?<=\\s)(?<number>${number})(?<factor>[kK])${end}`,
].map((pattern) => new RegExp(pattern, 'u'))

/** The first amount of a line, with its position. */
export function findMoney(line: string): (Money & { index: number; text: string }) | null {
  for (const pattern of patterns) {
    const match = pattern.exec(line)
    if (!match) continue
    const currency = currencyOf(match[0], match.groups?.factor ?? '')
    const amount = typedMoney(match.groups?.number?.replaceAll('’', '') ?? '', currency)
    if (amount === null) continue
    const factor = { k: 1000, m: 1_000_000 }[match.groups?.factor?.toLowerCase() ?? ''] ?? 1
    return {
      value: Math.round(amount * factor * 100) / 100,
      currency,
      index: match.index,
      text: match[0],
    }
  }
  return null
}

function currencyOf(text: string, factor: string): string | null {
  const own = habits().currency
  // The letter of the thousands is no currency.
  const { currency, shared } = currencyAt(text.replace(new RegExp(`(?<=\\d)\\s?${factor}`), ''))
  const code = currency ?? (shared && !maySign(shared, own) ? usualOf(shared) : null)
  return code === own ? null : code
}

/** Whose sign it is for most people. */
function usualOf(shared: string): string | null {
  return ['USD', 'JPY', 'SEK', 'INR'].find((code) => maySign(shared, code)) ?? null
}
