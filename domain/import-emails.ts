/** An e-mail address of a cell, with the name that stands beside it. */
export type CellAddress = { email: string; name: string }

/** `Lovelace, Ada <ada@example.com>`, whose comma is part of the name, or what stands up to the next separator. */
const part = /[^<>;\r\n@]*<[^<>]*>|[^,;\r\n]+/g

/**
 * The addresses in a cell: one or several parted by comma, semicolon, line or ` ::: `, each plain, as
 * `Ada Lovelace <ada@example.com>`, `ada@example.com (Ada)` or `mailto:ada@example.com`. What is no address is kept as it
 * stands, so that a check can refuse it.
 */
export function addressesIn(cell: string): CellAddress[] {
  const parts = cell.replaceAll(' ::: ', ';').match(part) ?? []
  return parts
    .map((text) => text.replace(/^[\s,]+/, '').trim())
    .filter((text) => text !== '')
    .flatMap(addressesOf)
}

function addressesOf(text: string): CellAddress[] {
  const [, before = '', inside] = /^([^<]*)<([^<>]*@[^<>]*)>$/.exec(text) ?? []
  if (inside) return [{ email: withoutScheme(inside), name: unquoted(before) }]
  const [, address, name = ''] = /^(\S+@\S+)\s*\(([^()]*)\)$/.exec(text) ?? []
  if (address) return [{ email: withoutScheme(address), name: unquoted(name) }]
  const words = text.split(/\s+(?:[/|&]\s+)?/)
  const emails = words.every((word) => word.includes('@')) ? words : [text]
  return emails.map((email) => ({ email: withoutScheme(email), name: '' }))
}

/** `mailto:ada@example.com?subject=Hi` as `ada@example.com`. */
function withoutScheme(text: string): string {
  const plain = text.trim()
  return /^mailto:/i.test(plain) ? plain.slice('mailto:'.length).replace(/\?.*$/s, '') : plain
}

function unquoted(name: string): string {
  return name
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .trim()
}
