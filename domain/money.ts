const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
})

const dollarsAndCents = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** '$34,500.50', where a difference of cents counts. */
export function exactMoney(amount: number): string {
  return dollarsAndCents.format(amount)
}

/** '$34,500'. A sum comes from the database as text, because it may have more digits than a number. */
export function shownMoney(amount: number | string): string {
  // `format` is exact for numeric text of any length, but its type accepts only literals.
  return dollars.format(amount as number)
}
