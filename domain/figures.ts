import { hasDecimalComma, numberLanguage } from './habits.ts'

const formats = new Map<string, Intl.NumberFormat>()

/** Cached for each set of options: creating a formatter is slow, and a list formats thousands of numbers. */
export function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const language = numberLanguage()
  const key = language + JSON.stringify(options)
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.NumberFormat(language, options)
  formats.set(key, made)
  return made
}

/** '1,204', with as many decimals as asked for, and no more than there are. */
export function shownNumber(number: number, decimals = 3): string {
  return numberFormat({ maximumFractionDigits: decimals }).format(number)
}

/** The value of a field, which may be a year: '2027', but '12,000' and '1,250.5'. */
export function shownFigure(number: number): string {
  if (!Number.isInteger(number)) return shownNumber(number, 6)
  return numberFormat({ useGrouping: 'min2' }).format(number)
}

/** '1.2K', where there is little room. */
export function shortNumber(number: number): string {
  return numberFormat({ notation: 'compact', maximumFractionDigits: 1 }).format(number)
}

/** A number as a form holds it, to be typed on. */
export function typedFigure(number: number): string {
  return hasDecimalComma() ? String(number).replace('.', ',') : String(number)
}

/** How thousands are parted in an amount while it is typed: 'lakh' parts 12,34,567. */
export function grouping(): { sign: string; style: 'thousand' | 'lakh' } {
  const parts = numberFormat({}).formatToParts(1234567)
  const signs = parts.filter(({ type }) => type === 'group')
  const first = parts[0]?.value.length ?? 0
  return { sign: signs[0]?.value ?? ',', style: first === 2 ? 'lakh' : 'thousand' }
}
