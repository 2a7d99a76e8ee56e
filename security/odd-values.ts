// What has broken servers before, for requests that are made up.

/** Texts that are no text, or mean something to somebody on the way. */
export const oddTexts = [
  ...['', ' ', 'null', 'true', 'NaN', 'Infinity', '-infinity', '0', '-1', '1e308', '0.1', '25:61'],
  ...['9223372036854775808', '2147483648', '1900-01-01', '0000-00-00', '294276-12-31T23:59:59Z'],
  ...['infinity', 'now', 'Europe/Berlin', '{}', '{1,2}', '{"a":1}', '[1,2)', '[]', '%', '_%', '*'],
  ...['\\', "'", '"', '`', ';--', "x' or '1'='1", "'; drop table public.contacts; --", '$$', '$1'],
  ...['(a+)+$', '((((', '[[:<:]]', 'a.b.c', 'a,b', '(a,b)', 'not.eq.x', 'name asc', 'auth.users'],
  ...['e\u0301', '👩‍🚀', '\u202e', '\uffff', '\ud800', '\u0000', 'ß', 'İ', 'x'.repeat(5000)],
  ...['public', '../../etc/passwd', '%00', '\r\nX-Evil: 1', '=1+1', '<script>', '{{first_name}}'],
]

const levels = 200

export const oddJson: unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, [], {}, [null], [[]], [{}], { '': '' }],
  ...[{ a: { b: [] } }, { constructor: 1 }, JSON.parse('{"__proto__":1}'), Array(200).fill(0)],
  JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`),
  JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`),
  ...oddTexts,
]

export const operators = [
  ...['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch', 'in', 'is'],
  ...['isdistinct', 'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj', 'fts', 'plfts', 'phfts'],
  ...['wfts', 'not.eq', 'not.in', 'not.is', 'like(any)', 'eq(all)', 'fts(english)', 'bogus', ''],
]

/** What may well be asked of a column of this type. */
export function operatorsOf(type: string): string[] {
  if (type === 'uuid') return ['eq', 'neq', 'in', 'not.in', 'is']
  if (type === 'text') return ['eq', 'ilike', 'like', 'match', 'imatch', 'in', 'fts', 'wfts', 'gt']
  if (type === 'boolean') return ['is', 'eq', 'not.is']
  if (type === 'jsonb' || type.endsWith('[]')) return ['cs', 'cd', 'eq', 'is']
  return ['eq', 'gt', 'gte', 'lt', 'lte', 'in', 'is', 'isdistinct']
}

export const directions = ['', '.asc', '.desc', '.desc.nullslast', '.asc.nullsfirst', '.x']
export const suffixes = [
  ...['::text', '::jsonb', '::regclass', '::uuid', '->a', '->>a', '->0', '.count()', '.sum()'],
  ...['!inner', '::text;--', '->>a->>b'],
]
export const preferences = [
  ...['count=exact', 'count=planned', 'count=estimated', 'return=representation', 'return=minimal'],
  ...['return=headers-only', 'resolution=merge-duplicates', 'resolution=ignore-duplicates'],
  ...['missing=default', 'missing=null', 'tx=rollback', 'tx=commit', 'handling=strict'],
  ...[
    'handling=lenient',
    'max-affected=1',
    'max-affected=0',
    'max-affected=x',
    'x',
    '',
    '=',
    ' , ',
  ],
  ...['params=single-object', 'params=multiple-objects', 'timezone=Mars/Olympus', 'timezone=UTC'],
  ...['count', 'count=', 'count=x', 'return=x', 'RETURN=representation', 'return = representation'],
]
/** What a write is asked for most: without it no row comes back, and nothing is embedded. */
export const writePreferences = [
  'return=representation',
  'return=representation,resolution=merge-duplicates',
  'return=representation,resolution=ignore-duplicates',
  'return=representation,missing=default',
  'return=representation,count=exact',
  'return=representation,tx=rollback',
  'return=representation,handling=strict,max-affected=1',
]
export const mediaTypes = [
  ...['application/json', 'application/vnd.pgrst.object+json', 'application/vnd.pgrst.plan+json'],
  ...[
    'application/vnd.pgrst.array+json;nulls=stripped',
    'application/geo+json',
    'text/plain',
    '*/*',
  ],
  ...['text/csv', 'application/octet-stream', 'application/openapi+json', 'text/xml', 'x/y', ''],
  'application/x-www-form-urlencoded',
]
export const ranges = ['0-0', '0-', '5-2', '-1', 'x', '0-99999999999999999999', 'items=0-1']
export const profiles = ['public', 'auth', 'private', 'pg_catalog', '', '"public"', 'x']
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PROPFIND']
