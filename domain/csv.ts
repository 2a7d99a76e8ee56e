const phoneNumber = /^\+?[\d\s().-]+$/
const negativeNumber = /^-\d+(\.\d+)?$/

/**
 * Prefixes an apostrophe to a value that a spreadsheet would run as a formula, and to a value that already begins
 * with such apostrophes, so that `withoutMark` can restore the original.
 */
export function neutralised(value: string): string {
  if (!/^'*[=+\-@\t]/.test(value)) return value
  if (phoneNumber.test(value) || negativeNumber.test(value)) return value
  return `'${value}`
}

/** Reverses `neutralised`. */
export function withoutMark(cell: string): string {
  return /^'+[=+\-@\t]/.test(cell) ? cell.slice(1) : cell
}
