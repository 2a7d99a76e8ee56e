import { answerIn } from './fields/cells.ts'
import type { OwnKind } from './fields/own.ts'
import { habits } from './habits.ts'
import { amountInCell } from './import-amount.ts'
import { isAddress, isPhone, isWebsite } from './import-content.ts'
import { currencyAt, maySign } from './import-currency.ts'
import { type DayOrder, isDayAlone } from './import-values.ts'
import { fullAddress, safeLink } from './web-address.ts'

/** What own fields hold. */
const [longestText, longestLongText] = [500, 10_000]

/** A column becomes a choice if it has at most so many values, and at least twice as many cells. */
const mostChoices = 20
const longestChoice = 60

/** Whether a text is too long for every field. */
function isTooLong(text: string): boolean {
  return text.length > longestLongText
}

/**
 * The kind of field that keeps every cell of a column as it is: null when none does. What would lose something is a text:
 * other currencies, times of the day, zeros before a number.
 */
export function guessedKind(
  name: string,
  cells: readonly string[],
  order: DayOrder,
  currency = habits().currency,
): OwnKind | null {
  if (cells.length === 0) return 'text'
  if (cells.some(isTooLong)) return null
  const fits = (isSuch: (text: string) => boolean) => cells.every(isSuch)
  if (fits(isWord)) return 'yes/no'
  if (fits((text) => isDayAlone(text, order) && isSensible(text))) return 'day'
  if (fits(isOneAddress)) return 'email'
  if (fits(isLink)) return 'link'
  if (!isNumberLike(name) && fits(isNumber) && !fits(isYear)) return 'number'
  if (fits((text) => isMoney(text, currency))) return 'money'
  if (fits((text) => text.length <= longestText && isPhone(text))) return 'phone'
  if (cells.some((text) => /[\r\n]/.test(text) || text.length > longestText)) return 'long text'
  return areChoices(cells) ? 'choice' : 'text'
}

function isWord(text: string): boolean {
  // 1 and 0 may as well be numbers.
  return !/^\d$/.test(text) && answerIn(text) !== null
}

function isSensible(text: string): boolean {
  const [year = ''] = /(?:19|20|21)\d\d/.exec(text) ?? []
  return year !== '' || !/\d{4}/.test(text)
}

function isOneAddress(text: string): boolean {
  return text.length <= 320 && /^[^\s@<>:;,]+@[^\s@<>;,]+$/.test(text) && isAddress(text)
}

function isLink(text: string): boolean {
  if (text.length > longestText - 8 || /\s/.test(text)) return false
  const isNamed = /^https?:\/\//i.test(text) || /^www\./i.test(text) || isWebsite(text)
  return isNamed && safeLink(fullAddress(text)) !== null
}

/** Digits that are no quantity: nobody adds them up, and a comma in them is wrong. */
function isNumberLike(name: string): boolean {
  return /(?:^|[^\p{L}])(?:ids?|no|nr|num|number|code|zip|plz|postal|year|jahr|phone|tel|fax|sms|vat|iban|tax)(?:$|[^\p{L}])|(?:Id|ID|Code|Number|Year)$/iu.test(
    name.replace(/([a-z])([A-Z])/g, '$1 $2'),
  )
}

function isYear(text: string): boolean {
  return /^(?:19|20)\d\d$/.test(text)
}

/** A number that is written back as it was, but for its thousands. */
function isNumber(text: string): boolean {
  if (!/^-?(?:0|[1-9]\d{0,11}|[1-9]\d{0,2}(?:,\d{3}){1,3})(?:\.\d{1,6})?$/.test(text)) return false
  return amountInCell(text) !== null
}

/** An amount in the account's currency, in which amounts of own fields are: another one would be mixed with it. */
function isMoney(text: string, account: string): boolean {
  const amount = amountInCell(text)
  if (amount === null || amount < 0 || Number(amount.toFixed(2)) !== amount) return false
  // By a single point some mean thousands, and others do not.
  if (/^\D*\d{1,3}\.\d{3}\D*$/.test(text) && !/€|EUR/.test(text)) return false
  const { currency, shared } = currencyAt(text)
  return currency === account || (shared !== null && maySign(shared, account))
}

function areChoices(cells: readonly string[]): boolean {
  const names = new Set<string>()
  for (const text of cells) {
    if (text.length > longestChoice) return false
    names.add(text.toLowerCase())
    if (names.size > mostChoices) return false
  }
  return cells.length >= 4 && names.size * 2 <= cells.length
}
