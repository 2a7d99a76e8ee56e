/** What can be imported. */
export const importKinds = ['contacts', 'companies', 'deals'] as const

export type ImportKind = (typeof importKinds)[number]

/** The fields that columns may fill, with their names in the list of choices. */
export const importFields: Record<ImportKind, Record<string, string>> = {
  contacts: {
    first_name: 'First Name',
    last_name: 'Last Name',
    full_name: 'Full Name',
    email: 'Email',
    phone_number: 'Phone',
    role_title: 'Role',
    company: 'Company',
    lead_status: 'Lead Status',
    lead_score: 'Lead Score',
    notes: 'Notes',
    created_at: 'Created At',
  },
  companies: {
    name: 'Company Name',
    website: 'Website',
    industry: 'Industry',
    location: 'Location',
    created_at: 'Created At',
  },
  deals: {
    name: 'Deal Name',
    value: 'Value',
    expected_close_date: 'Expected Close Date',
    pipeline: 'Pipeline',
    stage: 'Stage',
    status: 'Status',
    lost_reason: 'Lost Reason',
    company: 'Company',
    contact: 'Contact',
    contact_first_name: 'Contact First Name',
    contact_last_name: 'Contact Last Name',
    contact_email: 'Contact Email',
    created_at: 'Created At',
    closed_at: 'Closed At',
  },
}

/** The field that each column fills, by the place of the column; null where it fills none. */
export type ImportMapping = (string | null)[]

/** Fields that several columns may fill together; of every other field one column is the best. */
const manyColumns = new Set(['email', 'phone_number', 'notes', 'location'])

/**
 * What other products call our fields, folded as by `foldHeader`, the surest name first.
 * `#` stands for a number: Google numbers its columns.
 */
const headers: Record<ImportKind, Record<string, string[]>> = {
  contacts: {
    first_name: ['first name', 'given name', 'forename', 'person first name'],
    last_name: ['last name', 'family name', 'surname', 'person last name'],
    full_name: ['full name', 'name', 'contact name', 'display name', 'person name'],
    email: [
      'email',
      'e mail',
      'email address',
      'e mail address',
      'e mail # value',
      'e mail # address',
      'work email',
      'person email',
      'person email work',
      'person email home',
      'person email other',
    ],
    phone_number: [
      'phone',
      'phone number',
      'phone # value',
      'telephone',
      'primary phone',
      'mobile phone',
      'mobile phone number',
      'mobile',
      'cell phone',
      'business phone',
      'business phone #',
      'home phone',
      'home phone #',
      'company main phone',
      'other phone',
      'person phone',
      'person phone work',
      'person phone mobile',
      'person phone home',
      'person phone other',
    ],
    role_title: [
      'role',
      'role title',
      'job title',
      'position',
      'organization title',
      'organization # title',
      'person job title',
      'person title',
      // In some files this is the form of address, but those have a job title too.
      'title',
    ],
    company: [
      'company',
      'company name',
      'associated company',
      'organization',
      'organization name',
      'organization # name',
      'account name',
      'account',
      'employer',
      'person organization',
    ],
    lead_status: ['lead status', 'status', 'lifecycle stage'],
    lead_score: ['lead score', 'score'],
    notes: ['notes', 'note', 'comments', 'person notes'],
    created_at: ['created at', 'create date', 'created date', 'date created', 'created'],
  },
  companies: {
    name: [
      'company name',
      'company',
      'name',
      'organization name',
      'organization',
      'account name',
      'account',
    ],
    website: [
      'website',
      'website url',
      'web page',
      'homepage',
      'company domain name',
      'domain',
      'url',
    ],
    industry: ['industry', 'sector'],
    location: ['location', 'address', 'city', 'state region', 'state', 'country region', 'country'],
    created_at: ['created at', 'create date', 'created date', 'date created', 'created'],
  },
  deals: {
    name: ['deal name', 'deal title', 'deal', 'opportunity name', 'opportunity', 'name', 'title'],
    value: ['value', 'deal value', 'amount', 'potential value', 'deal amount'],
    expected_close_date: [
      'expected close date',
      'expected close',
      'deal expected close date',
      'close date',
      'closing date',
    ],
    pipeline: ['pipeline', 'deal pipeline'],
    stage: ['stage', 'deal stage'],
    status: ['status', 'deal status'],
    lost_reason: ['lost reason', 'deal lost reason', 'closed lost reason'],
    company: [
      'company',
      'company name',
      'associated company',
      'organization',
      'deal organization',
      'account name',
      'account',
    ],
    contact: [
      'contact',
      'contact name',
      'associated contact',
      'contact person',
      'deal contact person',
      'person',
    ],
    contact_first_name: ['contact first name'],
    contact_last_name: ['contact last name'],
    contact_email: ['contact email', 'email', 'e mail'],
    created_at: [
      'created at',
      'create date',
      'deal deal created',
      'deal created',
      'created date',
      'date created',
      'created',
    ],
    closed_at: ['closed at'],
  },
}

/** `Person - E-mail`, `person e-mail` and `PersonEMail` are the same column. */
export function foldHeader(header: string): string {
  return header
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The mapping with one column filling another field; where only one column may fill it, that one. */
export function withColumn(
  mapping: ImportMapping,
  column: number,
  field: string | null,
): ImportMapping {
  return mapping.map((now, place) => {
    if (place === column) return field
    return now === field && field !== null && !manyColumns.has(field) ? null : now
  })
}

/** How sure it is that a column fills a field: the smaller the surer, null when it is not known to. */
function rank(kind: ImportKind, field: string, folded: string): number | null {
  const numbered = folded.replace(/\d+/g, '#')
  const found = headers[kind][field]?.findIndex((name) => name === folded || name === numbered)
  return found === undefined || found < 0 ? null : found
}

/** Which field each column fills, as far as its name tells. */
export function mapColumns(kind: ImportKind, columns: string[]): ImportMapping {
  const folded = columns.map(foldHeader)
  const mapping: ImportMapping = columns.map(() => null)
  for (const field of Object.keys(importFields[kind])) {
    const candidates = folded
      .map((name, place) => ({ place, rank: rank(kind, field, name) }))
      .filter((each): each is { place: number; rank: number } => each.rank !== null)
      .filter(({ place }) => mapping[place] === null)
    const sure = candidates.toSorted((a, b) => a.rank - b.rank)
    for (const { place } of manyColumns.has(field) ? sure : sure.slice(0, 1)) {
      mapping[place] = field
    }
  }
  return mapping
}

/** How many columns of a row would fill something, if it were the header. */
export function knownColumns(kind: ImportKind, columns: string[]): number {
  return mapColumns(kind, columns).filter((field) => field !== null).length
}

/** What a file most likely holds. */
export function guessKind(columns: string[]): ImportKind {
  const folded = new Set(columns.map(foldHeader))
  const isOfDeals = [...folded].some((name) => /^(deal|opportunity)\b/.test(name))
  if (isOfDeals) return 'deals'
  const [contacts, companies] = [
    knownColumns('contacts', columns),
    knownColumns('companies', columns),
  ]
  return companies > contacts ? 'companies' : 'contacts'
}
