const phoneNumber = /^\+?[\d\s().-]+$/
const negativeNumber = /^-\d+(\.\d+)?$/

/**
 * A value that a spreadsheet would run as a formula gets a leading apostrophe. So does one that has
 * such apostrophes of its own: `withoutMark` takes one off, and finds what was there.
 */
export function neutralised(value: string): string {
  if (!/^'*[=+\-@\t]/.test(value)) return value
  if (phoneNumber.test(value) || negativeNumber.test(value)) return value
  return `'${value}`
}

/** The value that `neutralised` was given. */
export function withoutMark(cell: string): string {
  return /^'+[=+\-@\t]/.test(cell) ? cell.slice(1) : cell
}
