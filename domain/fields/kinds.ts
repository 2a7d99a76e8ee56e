import { shownBirthday, shownDaysBefore } from '#domain/birthday.ts'
import { shownDate, shownDay } from '#domain/dates.ts'
import { shownFigure, typedFigure } from '#domain/figures.ts'
import { habits } from '#domain/habits.ts'
import { shownMoney, toldMoney } from '#domain/money.ts'
import { shownWebsite } from '#domain/web-address.ts'
import { entriesOf, entryText } from './entries.ts'
import type { Field, Kind } from './field.ts'

/**
 * What a kind is to forms, details and lists. The rest of it is kept beside, because not every screen loads it:
 * the order of a list in `order.ts`, the checks in `checks.ts`, and the cells of files in `cells.ts`.
 */
type KindOfField = {
  /** What a form holds of a field that was never filled. */
  blank: (field: Field) => unknown
  /** What a form holds of a stored value, where that is not the value as text. */
  input?: (value: unknown, field: Field) => unknown
  /** As lists and details show it. Moments depend on where the user is. */
  shown?: (value: unknown, timeZone: string, field: Field) => string
  /** What the directions of its order are called. */
  directions: { asc: string; desc: string }
}

const letters = { asc: 'A to Z', desc: 'Z to A' }
const amounts = { asc: 'Lowest first', desc: 'Highest first' }

const text: KindOfField = { blank: () => '', directions: letters }

const list: KindOfField = {
  blank: () => [],
  input: entriesOf,
  shown: (value) => entriesOf(value).map(entryText).join('; '),
  directions: letters,
}

export const kinds: Record<Kind, KindOfField> = {
  text,
  'long text': text,
  email: text,
  phone: { ...text, directions: { asc: 'Ascending', desc: 'Descending' } },
  link: { ...text, shown: (value) => shownWebsite(typeof value === 'string' ? value : '') },
  number: {
    blank: ({ usual = '' }) => String(usual),
    input: figureInput,
    shown: (value) => (typeof value === 'number' ? shownFigure(value) : ''),
    directions: amounts,
  },
  money: {
    blank: () => '',
    input: figureInput,
    // What deals are worth is shown as the specification has it; of an own field nobody else says the cents.
    shown: (value, _, { key }) => {
      if (typeof value !== 'number') return ''
      return key?.startsWith('field:') ? toldMoney(value) : shownMoney(value)
    },
    directions: amounts,
  },
  // None is that of the account.
  currency: {
    ...text,
    shown: (value) => (typeof value === 'string' ? value : habits().currency),
  },
  day: {
    blank: () => '',
    // A day has no time zone.
    shown: (value) => (typeof value === 'string' ? shownDate(value) : ''),
    directions: { asc: 'Soonest first', desc: 'Latest first' },
  },
  moment: {
    blank: () => null,
    input: (value) => value,
    shown: (value, timeZone) => (typeof value === 'string' ? shownDay(value, timeZone) : ''),
    directions: { asc: 'Oldest first', desc: 'Newest first' },
  },
  'yes/no': {
    blank: () => null,
    input: (value) => (typeof value === 'boolean' ? (value ? 'yes' : 'no') : null),
    shown: (value) => (typeof value === 'boolean' ? (value ? 'Yes' : 'No') : ''),
    directions: { asc: 'Yes first', desc: 'No first' },
  },
  choice: {
    blank: ({ choices = [], usual, isOptional }) => (isOptional ? null : (usual ?? choices[0])),
    // What is no choice any more has become the usual one.
    input: (value, { choices = [], usual = null }) =>
      choices.find((choice) => choice === value) ?? usual,
    shown: (value, _, field) => (typeof value === 'string' ? choiceName(field, value) : ''),
    directions: letters,
  },
  'several choices': {
    blank: () => [],
    input: (value, field) => chosenOf(field, value),
    shown: (value, _, field) =>
      chosenOf(field, value)
        .map((choice) => choiceName(field, choice))
        .join(', '),
    directions: letters,
  },
  tags: {
    blank: () => [],
    input: (value) => textsIn(value),
    shown: (value) => textsIn(value).join(', '),
    directions: letters,
  },
  birthday: {
    blank: () => '',
    // As it is shown, so that nobody has to type signs for a missing year.
    input: (value) => (typeof value === 'string' ? shownBirthday(value) : ''),
    shown: (value) => (typeof value === 'string' ? shownBirthday(value) : ''),
    directions: { asc: 'January first', desc: 'December first' },
  },
  'days before': {
    blank: () => '',
    input: (value) => (typeof value === 'number' ? shownDaysBefore(value) : ''),
    shown: (value) => (typeof value === 'number' ? shownDaysBefore(value) : ''),
    directions: amounts,
  },
  record: { blank: () => null, input: (value) => value, directions: letters },
  emails: list,
  phones: list,
  links: list,
  addresses: list,
}

/** A number as it is typed. */
function figureInput(value: unknown): string {
  if (typeof value === 'number') return typedFigure(value)
  return typeof value === 'string' ? value : ''
}

/** What is chosen of several, in the order of the choices. */
export function chosenOf({ choices = [] }: Field, value: unknown): string[] {
  return Array.isArray(value) ? choices.filter((choice) => value.includes(choice)) : []
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function choiceName({ choiceNames, choiceColors }: Field, choice: string): string {
  // An option of the user's own that was removed meanwhile has no name, and its id says nothing.
  return choiceNames?.[choice] ?? (choiceColors ? '' : choice)
}

/** A value as lists and details show it; empty when there is none. */
export function shownValue(field: Field, value: unknown, timeZone = 'UTC'): string {
  if (value === null || value === undefined) return ''
  return kinds[field.kind].shown?.(value, timeZone, field) ?? String(value)
}
