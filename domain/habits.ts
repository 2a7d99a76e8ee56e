/** How the user wants to see numbers, as examples of 1234.56; the examples are also what is stored. */
export const numberFormats = [
  '1,234.56',
  '1.234,56',
  '1 234,56',
  '1’234.56',
  '12,34,567.89',
] as const
type NumberFormat = (typeof numberFormats)[number]

export const dateFormats = [
  'month day, year',
  'day month year',
  'yyyy-mm-dd',
  'dd.mm.yyyy',
  'dd/mm/yyyy',
  'mm/dd/yyyy',
] as const
export type DateFormat = (typeof dateFormats)[number]

export type Habits = {
  /** ISO 4217: of all sums, and of amounts that have none of their own. */
  currency: string
  number_format: NumberFormat
  date_format: DateFormat
  clock: 12 | 24
}

/** As the specification writes them. */
export const usualHabits: Habits = {
  currency: 'USD',
  number_format: '1,234.56',
  date_format: 'month day, year',
  clock: 24,
}

/**
 * The habits of whoever looks at the page. They are set once, before anything is shown, and not passed to each of some
 * hundred calls: a page belongs to one account. The server, which serves many, uses {@link withHabits}.
 */
let current = usualHabits

export function setHabits(habits: Habits): void {
  current = habits
}

/** Lets `write` write as somebody with these habits would; it must not wait for anything. */
export function withHabits<Words>(habits: Habits, write: () => Words): Words {
  const before = current
  current = habits
  try {
    return write()
  } finally {
    current = before
  }
}

export function habits(): Habits {
  return current
}

/** The language that writes numbers so. */
const languages: Record<NumberFormat, string> = {
  '1,234.56': 'en-US',
  '1.234,56': 'de-DE',
  '1 234,56': 'fr-FR',
  '1’234.56': 'de-CH',
  '12,34,567.89': 'en-IN',
}

/** The language in which numbers and money are written. */
export function numberLanguage(): string {
  return languages[current.number_format]
}

/** Whether a comma begins the decimals. */
export function hasDecimalComma(): boolean {
  return current.number_format.endsWith(',56')
}
