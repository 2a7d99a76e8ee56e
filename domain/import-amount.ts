import { amountOf } from './amount.ts'

/** Words for a currency other than its code. */
const word =
  '[a-z]{0,3}\\p{Sc}[a-z]{0,3}|kr\\.?|kč|zł|s?fr\\.|rs\\.?|руб\\.?|лв\\.?|[円元]|euros?|dollars?|pounds?|eur|usd|gbp|chf'
const words = new RegExp(`^(?:${word})|(?:${word})$`, 'giu')

/**
 * Reads an amount of a file: what people type into a field too, and `US$1,200`, `899 kr`, `(1,234.00)` for a negative one.
 * Only imports load it. Null when it is no number.
 */
export function amountInCell(text: string): number | null {
  const plain = withoutCurrency(text.normalize('NFKC').replace(/[\s'’]/g, ''))
  const unsigned = plain.replace(/^\((.+)\)$|^[-−](.+)$|^(.+)[-−]$/, '$1$2$3')
  const bare = withoutCurrency(unsigned)
  const amount = /^[\d.,]+$/.test(bare) ? amountOf(bare) : null
  return amount === null || unsigned === plain ? amount : 0 - amount
}

/** A currency may stand on both sides, `$1,200 USD`, and a dash for no cents before it: `1.200,- €`. */
function withoutCurrency(amount: string): string {
  return amount
    .replace(/^[A-Z]{3}(?![a-z\p{Sc}])/u, '')
    .replace(/([\d.,)-])[A-Z]{3}$/, '$1')
    .replace(words, '')
    .replace(/[,.][-–—]{1,2}$/, '')
}
