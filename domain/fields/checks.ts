import { z } from 'zod'
import { typedMoney, typedNumber } from '#domain/amount.ts'
import { birthdayIn, daysBeforeIn, mostDaysBefore } from '#domain/birthday.ts'
import { currencies } from '#domain/currencies.ts'
import { shownNumber } from '#domain/figures.ts'
import { isSensibleDay } from '#domain/sensible-day.ts'
import { longestTag, mostTags, tagsIn } from '#domain/tags.ts'
import { optionalEmail, optionalText, requiredText } from '#domain/text-fields.ts'
import { fullAddress, safeLink } from '#domain/web-address.ts'
import { checkEntries } from './entry-checks.ts'
import { type Field, type Kind, labelOf } from './field.ts'
import { chosenOf } from './kinds.ts'

/** Each checks what a form holds, and makes of it what is stored. */
const checks: Record<Kind, (field: Field) => z.ZodType> = {
  text: (field) => checkText(field, 200),
  'long text': (field) => checkText(field, 50_000),
  email: (field) => optionalEmail(labelOf(field, 'form')),
  phone: (field) => checkText(field, 50),
  link: checkLink,
  number: checkNumber,
  money: checkMoney,
  currency: checkCurrency,
  day: checkDay,
  moment: () => z.iso.datetime({ offset: true }).nullable(),
  'yes/no': () =>
    z
      .enum(['yes', 'no'])
      .nullable()
      .transform((answer) => answer && answer === 'yes'),
  choice: ({ choices = [], isOptional }) =>
    isOptional ? z.enum(choices).nullable() : z.enum(choices),
  'several choices': checkSeveral,
  tags: checkTags,
  birthday: checkBirthday,
  'days before': checkDaysBefore,
  record: () => z.uuid().nullable(),
  emails: () => checkEntries('emails'),
  phones: () => checkEntries('phones'),
  links: () => checkEntries('links'),
  addresses: () => checkEntries('addresses'),
}

/** What may be stored of a field. */
export function checkOf(field: Field): z.ZodType {
  return checks[field.kind](field)
}

function checkText(field: Field, most: number) {
  const [label, max] = [labelOf(field, 'form'), field.max ?? most]
  return field.isRequired ? requiredText(label, max) : optionalText(label, max)
}

function checkLink(field: Field) {
  return z
    .string()
    .transform(fullAddress)
    .pipe(optionalText(labelOf(field, 'form'), field.max ?? 2000))
    .refine(
      (value) => value === null || safeLink(value) !== null,
      'Enter a web address, such as https://acme.com.',
    )
}

function checkNumber(field: Field) {
  const label = labelOf(field, 'form')
  const max = field.max ?? 999_999.99
  const min = field.min ?? -max
  const range = `${label} must be between ${figures(min)} and ${figures(max)}.`
  return typed(field, z.number(`${label} must be a number.`).min(min, range).max(max, range))
}

function checkMoney(field: Field) {
  const label = labelOf(field, 'form')
  const { min = 0, max = largestAmount } = field
  return typed(
    field,
    z
      .number(`${label} must be a number.`)
      .min(min, `${label} can’t be less than ${figures(min)}.`)
      .max(max, `${label} can be at most ${figures(max)}.`),
  )
}

/** A number, or the text that was typed for it. Empty becomes 0, unless it may be missing. */
function typed(field: Field, number: z.ZodNumber) {
  const { isOptional, decimals = 2 } = field
  const exact = number.refine((value) => Number(value.toFixed(decimals)) === value, {
    error: `${labelOf(field, 'form')} can have at most ${decimals === 2 ? 'two' : decimals} decimals.`,
  })
  const read = z.union([z.string(), z.number()]).transform((input) => {
    if (typeof input === 'number') return input
    if (input.trim() !== '') {
      return field.kind === 'money' ? typedMoney(input, field.currency) : typedNumber(input)
    }
    return isOptional ? undefined : 0
  })
  if (!isOptional) return read.pipe(exact)
  return read.pipe(exact.optional()).transform((value) => value ?? null)
}

/** None is as good as missing; they are stored in the order of the choices. */
function checkSeveral(field: Field) {
  return z.array(z.string()).transform((chosen) => {
    const inOrder = chosenOf(field, chosen)
    return inOrder.length > 0 ? inOrder : null
  })
}

/** Tags, or a text with tags. */
function checkTags() {
  return z
    .union([z.array(z.string()), z.string()])
    .transform((typed) => tagsIn([typed].flat().join('\n')))
    .pipe(
      z
        .array(z.string().max(longestTag, `A tag can have at most ${longestTag} characters.`))
        .max(mostTags, `There can be at most ${mostTags} tags.`),
    )
}

function checkBirthday(field: Field) {
  return z.string().transform((typed, context) => {
    if (typed.trim() === '') return null
    const birthday = birthdayIn(typed)
    if (birthday && birthday < '22') return birthday
    const message = `${labelOf(field, 'form')} must be a day, such as May 3 or May 3, 1990.`
    context.issues.push({ code: 'custom', input: typed, message })
    return z.NEVER
  })
}

function checkDaysBefore(field: Field) {
  return z.union([z.string(), z.number()]).transform((typed, context) => {
    const text = String(typed).trim()
    const days = daysBeforeIn(text)
    if (days !== null || text === '') return days
    const message = `${labelOf(field, 'form')} must be a number of days from 0 to ${mostDaysBefore}.`
    context.issues.push({ code: 'custom', input: typed, message })
    return z.NEVER
  })
}

/** The most that the database takes for an amount of money. */
export const largestAmount = 999_999_999_999.99

function checkCurrency(field: Field) {
  return z
    .string()
    .nullable()
    .transform((code) => code?.trim().toUpperCase() || null)
    .refine((code) => code === null || currencies.includes(code), {
      error: `${labelOf(field, 'form')} must be a code, such as EUR.`,
    })
}

function checkDay(field: Field) {
  return z
    .string()
    .trim()
    .refine((day) => day === '' || isSensibleDay(day), {
      error: `${labelOf(field, 'form')} must be a day between 1900 and 2200.`,
    })
    .transform((day) => (day === '' ? null : day))
}

function figures(number: number): string {
  return shownNumber(number)
}
