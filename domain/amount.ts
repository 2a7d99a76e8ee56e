import { habits, hasDecimalComma } from './habits.ts'

/**
 * Reads an amount: `$1,234.50`, `1.234,50 €`, `1 234`. With only one separator, three digits after it mean thousands.
 * Null when it is no number.
 */
export function amountOf(text: string): number | null {
  const bare = text
    .replace(/[\s\u00a0\u202f'’]/g, '')
    .replace(/^\p{Sc}|\p{Sc}$|^[A-Z]{3}|[A-Z]{3}$/gu, '')
  if (!/^-?[\d.,]+$/.test(bare) || !/\d/.test(bare)) return null
  const decimal = decimalSign(bare)
  const digits = [...bare].filter((sign) => /[\d-]/.test(sign) || sign === decimal).join('')
  const amount = Number(decimal ? digits.replace(decimal, '.') : digits)
  return Number.isFinite(amount) ? amount : null
}

function decimalSign(amount: string): string | null {
  const last = Math.max(amount.lastIndexOf(','), amount.lastIndexOf('.'))
  if (last < 0) return null
  const sign = amount.charAt(last)
  const isOnce = amount.indexOf(sign) === last
  const isThousands = /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(amount)
  return isOnce && !isThousands ? sign : null
}

const groups = /^-?[1-9]\d{0,2}(?:(?:\.\d{3})+|(?:,\d{3})+)$/
/** By ISO 4217. */
const withThreeDecimals = ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']

/**
 * Money as people type it, in this currency or that of the account: '12.000' and '12,000' are twelve thousand in every
 * format, because nobody types thousandths of money, except where the currency has them. All else is read like a number.
 */
export function typedMoney(text: string, currency?: string | null): number | null {
  const [, bare = '', factor = ''] = /^(.*?)\s?(k?)$/is.exec(text.trim()) ?? []
  const isThousands =
    groups.test(bare) && !withThreeDecimals.includes(currency ?? habits().currency)
  return typedNumber(isThousands ? bare.replace(/[.,]/g, '') + factor : text)
}

/**
 * A number as people type it, by the format that they chose. Where a file would mean thousands by a single point, a form does not guess: '1.234' has
 * three decimals. '5k' is five thousand, as in quick add. Null when it is no number.
 */
export function typedNumber(text: string): number | null {
  const thousands = /^(.*\d)\s?k$/is.exec(text.trim())?.[1]
  if (thousands !== undefined) {
    const count = typedNumber(thousands)
    // No rest of the multiplication: 1.1 thousand is 1,100.
    return count === null ? null : Math.round(count * 100_000) / 100
  }
  if (hasDecimalComma() && /^-?\d{1,3}(?:[.\s]?\d{3})*(?:,\d*)?$/.test(text.trim())) {
    return Number(text.replace(/[.\s]/g, '').replace(',', '.'))
  }
  const isPlain = /^[\d.e+-]+$/i.test(text.trim()) && Number.isFinite(Number(text))
  return isPlain ? Number(text) : amountOf(text)
}
