/** Words for a currency other than its code. */
const word =
  '[a-z]{0,3}\\p{Sc}[a-z]{0,3}|kr\\.?|kč|zł|s?fr\\.|rs\\.?|руб\\.?|лв\\.?|[円元]|euros?|dollars?|pounds?|eur|usd|gbp|chf'
const words = new RegExp(`^(?:${word})|(?:${word})$`, 'giu')

/**
 * Reads an amount: `$1,234.50`, `1.234,50 €`, `US$1,200`, `899 kr`, `(1,234.00)` for a negative one. With only one
 * separator, three digits after it mean thousands. Null when it is no number.
 */
export function amountOf(text: string): number | null {
  const plain = withoutCurrency(text.normalize('NFKC').replace(/[\s'’]/g, ''))
  const unsigned = plain.replace(/^\((.+)\)$|^[-−](.+)$|^(.+)[-−]$/, '$1$2$3')
  const bare = withoutCurrency(unsigned)
  if (!/^[\d.,]+$/.test(bare) || !/\d/.test(bare)) return null
  const decimal = decimalSign(bare)
  const digits = [...bare].filter((sign) => /\d/.test(sign) || sign === decimal).join('')
  const amount = Number(decimal ? digits.replace(decimal, '.') : digits)
  if (!Number.isFinite(amount)) return null
  return unsigned === plain ? amount : 0 - amount
}

/** A currency may stand on both sides, `$1,200 USD`, and a dash for no cents before it: `1.200,- €`. */
function withoutCurrency(amount: string): string {
  return amount
    .replace(/^[A-Z]{3}(?![a-z\p{Sc}])/u, '')
    .replace(/([\d.,)-])[A-Z]{3}$/, '$1')
    .replace(words, '')
    .replace(/[,.][-–—]{1,2}$/, '')
}

function decimalSign(amount: string): string | null {
  const last = Math.max(amount.lastIndexOf(','), amount.lastIndexOf('.'))
  if (last < 0) return null
  const sign = amount.charAt(last)
  const isOnce = amount.indexOf(sign) === last
  const isThousands = /^[1-9]\d{0,2}[.,]\d{3}$/.test(amount)
  return isOnce && !isThousands ? sign : null
}

/**
 * A number as people type it. Where a file would mean thousands by a single point, a form does not guess: '1.234' has
 * three decimals. Null when it is no number.
 */
export function typedNumber(text: string): number | null {
  const isPlain = /^[\d.e+-]+$/i.test(text.trim()) && Number.isFinite(Number(text))
  return isPlain ? Number(text) : amountOf(text)
}
