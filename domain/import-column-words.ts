import { counted } from './counted.ts'
import { shownNumber } from './figures.ts'
import { type ImportKind, type ImportMapping, importFields } from './import-headers.ts'
import { optionsProblem, type PlannedField, plannedField } from './import-own.ts'

/** By one of these a record is known. */
const identifying: Record<ImportKind, { fields: string[]; none: string }> = {
  contacts: {
    fields: 'first_name,last_name,full_name,nickname,email,emails,phone_number,phones'.split(','),
    none: 'No name, email address or phone number found. Choose a column with one of them.',
  },
  companies: {
    fields: ['name', 'website'],
    none: 'No company name or website found. Choose the column with the name.',
  },
  deals: {
    // Without a name of its own a deal is named after whom it is with.
    fields: 'name,company,contact,contact_first_name,contact_last_name,contact_email'.split(','),
    none: 'No deal name, company or contact found. Choose a column with one of them.',
  },
}

/** Why nothing can be imported with these columns, and what to do; null when it can. */
export function columnsProblem(
  kind: ImportKind,
  mapping: ImportMapping,
  own: readonly PlannedField[] = [],
): string | null {
  const { fields, none } = identifying[kind]
  if (!mapping.some((field) => field !== null && fields.includes(field))) return none
  // The database refuses companies without a name.
  if (kind === 'companies' && !mapping.includes('name')) {
    return `Choose the column with the ${importFields[kind].name}.`
  }
  return optionsProblem(mapping.flatMap((name) => plannedField(own, name) ?? []))
}

/** A line names so many columns. */
const mostNames = 12

/** 'Not imported: Middle name, Fax.': the columns with values that fill no field; null when there is none. */
export function leftOutWords(
  columns: { name: string; isFilled: boolean }[],
  mapping: ImportMapping,
): string | null {
  const names = columns
    .filter(({ isFilled }, place) => isFilled && mapping[place] === null)
    .map(({ name }) => name)
  if (names.length === 0) return null
  const more = names.length - mostNames
  // One more name is not longer than saying so.
  if (more <= 1) return `Not imported: ${names.join(', ')}.`
  return `Not imported: ${names.slice(0, mostNames).join(', ')} and ${shownNumber(more)} more.`
}

/**
 * 'Not imported for contacts that already exist: Created Time.': when a record was created nobody changes; null where the file
 * does not say it.
 */
export function createdWords(
  kind: ImportKind,
  columns: { name: string; isFilled: boolean }[],
  mapping: ImportMapping,
): string | null {
  const names = columns
    .filter(({ isFilled }, place) => isFilled && mapping[place] === 'created_at')
    .map(({ name }) => name)
  return names.length > 0
    ? `Not imported for ${kind} that already exist: ${names.join(', ')}.`
    : null
}

/** 'Not imported, above the header: “Report of May” and 2 more lines.'; null when there is none. */
export function aboveWords(lines: readonly string[]): string | null {
  const [first, ...more] = lines
  if (first === undefined) return null
  const others = more.length > 0 ? ` and ${counted(more.length, 'more line')}` : ''
  return `Not imported, above the header: “${first}”${others}.`
}
