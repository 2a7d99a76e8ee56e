import { currencies, currencyName } from './currencies.ts'

/** What is written for one currency only. */
const signs: Record<string, string> = {
  '€': 'EUR',
  euro: 'EUR',
  euros: 'EUR',
  '£': 'GBP',
  pound: 'GBP',
  pounds: 'GBP',
  us$: 'USD',
  r$: 'BRL',
  ca$: 'CAD',
  c$: 'CAD',
  a$: 'AUD',
  au$: 'AUD',
  nz$: 'NZD',
  hk$: 'HKD',
  s$: 'SGD',
  mx$: 'MXN',
  nt$: 'TWD',
  kč: 'CZK',
  zł: 'PLN',
  'fr.': 'CHF',
  'sfr.': 'CHF',
  '₹': 'INR',
  '₽': 'RUB',
  руб: 'RUB',
  'руб.': 'RUB',
  '₴': 'UAH',
  '₩': 'KRW',
  '₺': 'TRY',
  '₪': 'ILS',
  '฿': 'THB',
  '₫': 'VND',
  '₱': 'PHP',
  лв: 'BGN',
  'лв.': 'BGN',
  円: 'JPY',
  元: 'CNY',
}

/** What is written for several: which of them is meant, the account knows best. */
const shared: Record<string, string[]> = {
  $: ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'MXN', 'ARS', 'CLP', 'COP', 'TWD'],
  dollar: ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'TWD'],
  dollars: ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'TWD'],
  kr: ['SEK', 'NOK', 'DKK', 'ISK'],
  'kr.': ['SEK', 'NOK', 'DKK', 'ISK'],
  '¥': ['JPY', 'CNY'],
  rs: ['INR', 'PKR', 'LKR', 'NPR'],
  'rs.': ['INR', 'PKR', 'LKR', 'NPR'],
}

/** The currency that a cell names: `EUR`, `€`, `US$`, `Swiss Franc`. Null when it names none, or may mean several. */
export function currencyIn(text: string): string | null {
  const word = text.normalize('NFKC').trim().toLowerCase()
  const code = word.toUpperCase()
  if (currencies.includes(code)) return code
  return signs[word] ?? currencies.find((each) => currencyName(each).toLowerCase() === word) ?? null
}

/** The currency at an amount, `US$1,200` or `899 kr`: one, or a sign that stands for several. */
export function currencyAt(amount: string): { currency: string | null; shared: string | null } {
  // The letters and signs around the digits; `1.200,- €` has a dash for no cents.
  const around = amount.normalize('NFKC').split(/[\d.,\s'’()–—−-]*\d[\d.,\s'’()–—−-]*/u)
  const words = around.map((word) => word.replace(/[\s()–—−-]/gu, '')).filter((word) => word !== '')
  const [one = null] = words.flatMap((word) => currencyIn(word) ?? [])
  const several = words.find((word) => word.toLowerCase() in shared) ?? null
  return { currency: one, shared: one === null ? several : null }
}

/** Whether a sign that stands for several currencies may stand for this one. */
export function maySign(sign: string, currency: string): boolean {
  return shared[sign.toLowerCase()]?.includes(currency) ?? false
}
