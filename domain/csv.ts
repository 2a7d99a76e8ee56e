const phoneNumber = /^\+?[\d\s().-]+$/
const negativeNumber = /^-\d+(\.\d+)?$/

/** A value that a spreadsheet would run as a formula gets a leading apostrophe. */
export function neutralised(value: string): string {
  if (!/^[=+\-@\t]/.test(value)) return value
  if (phoneNumber.test(value) || negativeNumber.test(value)) return value
  return `'${value}`
}
