/** A property of a vCard 2.1: its name, with the group before it, its parameters, and its value as it stands. */
type OldProperty = { name: string; parameters: string[]; value: string }

/** Whether a card is written in the way of version 2.1, which some programs use under a later number, too. */
export function isOldCard(text: string): boolean {
  return /^VERSION:\s*2\.1\s*$/im.test(text) || /^[^:\n]*;[^:\n]*QUOTED-PRINTABLE/im.test(text)
}

/**
 * A card of version 2.1 as one of version 3.0: parameters have names, values are decoded, and what is folded is whole. What
 * old phones leave out of the rules is read as well: base64 without an indent, and encodings without a name.
 */
export function asNewCard(text: string): string {
  const properties = wholeLines(text).flatMap((line) => propertyIn(line) ?? [])
  return properties.map(written).filter(Boolean).join('\n')
}

const propertyLine = /^([\w.-]+)((?:;[^:]*)?):(.*)$/s

function propertyIn(line: string): OldProperty | null {
  const [, name = '', parameters = '', value = ''] = propertyLine.exec(line) ?? []
  if (name === '') return null
  return { name, parameters: parameters.split(';').slice(1), value }
}

/** The lines of a card, each property in one. */
function wholeLines(text: string): string[] {
  const lines: string[] = []
  let encoding: string | null = null
  for (const line of text.split(/\r?\n/)) {
    const before = lines.at(-1) ?? ''
    const isSoft = encoding === 'quoted' && before.endsWith('=')
    // A line of base64 holds neither a colon nor a semicolon.
    const isBase64 = encoding === 'base64' && /^[\w+/=]+$/.test(line)
    if (lines.length > 0 && (isSoft || isBase64 || /^[ \t]/.test(line))) {
      lines[lines.length - 1] = (isSoft ? before.slice(0, -1) : before) + line
    } else if (line.trim() !== '') {
      lines.push(line)
      encoding = encodingOf(propertyIn(line)?.parameters ?? [])
    }
  }
  return lines
}

function encodingOf(parameters: string[]): 'quoted' | 'base64' | null {
  const named = parameters.map((each) => each.trim().replace(/^ENCODING=/i, ''))
  if (named.some((each) => /^QUOTED-PRINTABLE$/i.test(each))) return 'quoted'
  return named.some((each) => /^(?:BASE64|B)$/i.test(each)) ? 'base64' : null
}

function charsetOf(parameters: string[]): string {
  return parameters.map((each) => /^CHARSET=(.*)$/i.exec(each.trim())?.[1]).find(Boolean) ?? ''
}

/** What tells a type and not how the value is written. */
function typesOf(parameters: string[]): string[] {
  return parameters
    .map((each) => each.trim())
    .filter((each) => each !== '' && !/^(?:ENCODING|CHARSET|LANGUAGE|VALUE)=/i.test(each))
    .filter((each) => !/^(?:QUOTED-PRINTABLE|BASE64|B|[78]BIT)$/i.test(each))
    .flatMap((each) => each.replace(/^TYPE=/i, '').split(','))
    .filter((each) => /^[\w-]+$/.test(each))
}

/** Pictures and sounds, which are not kept. */
const isBinary = /(?:^|\.)(?:PHOTO|LOGO|SOUND|KEY)$/i

function written(property: OldProperty): string {
  const { name, parameters } = property
  if (/^VERSION$/i.test(name)) return 'VERSION:3.0'
  const types = typesOf(parameters)
  const value = decoded(property).replace(/\r?\n+$/, '')
  // Japanese phones write how a name is read as a sound.
  const isReading = types.some((type) => /^X-IRMC-N$/i.test(type))
  if (isReading) {
    return value.replaceAll(';', '').trim() === ''
      ? ''
      : `X-PHONETIC-NAME:${escaped(name, value.replaceAll(';', ' ').trim())}`
  }
  if (isBinary.test(name) && encodingOf(parameters) === 'base64') return `${name}:base64`
  const typed = types.map((type) => `;TYPE=${type}`).join('')
  return `${name}${typed}:${escaped(name, value)}`
}

/** As version 3.0 writes a text. A comma parts nothing in 2.1, but for categories. */
function escaped(name: string, value: string): string {
  const text = value.replace(/\\(?![\\;,:nN])/g, '\\\\').replace(/\r?\n/g, '\\n')
  return /(?:^|\.)CATEGORIES$/i.test(name) ? text : text.replace(/(?<!\\),/g, '\\,')
}

function decoded({ name, parameters, value }: OldProperty): string {
  const encoding = encodingOf(parameters)
  if (encoding === 'quoted') return textOf(quotedBytes(value), charsetOf(parameters))
  if (encoding !== 'base64' || isBinary.test(name)) return value
  try {
    const bytes = Uint8Array.from(atob(value.replace(/\s/g, '')), (letter) => letter.charCodeAt(0))
    return textOf(bytes, charsetOf(parameters))
  } catch {
    return value
  }
}

/** `J=C3=BCrgen` as bytes. Letters that should have been encoded, and were not, stay what they are. */
function quotedBytes(value: string): Uint8Array<ArrayBuffer> {
  const bytes: number[] = []
  const encoder = new TextEncoder()
  for (const [part] of value.matchAll(/=[\dA-F]{2}|[^=]+|=/gi)) {
    if (/^=[\dA-F]{2}$/i.test(part)) bytes.push(Number.parseInt(part.slice(1), 16))
    else bytes.push(...encoder.encode(part))
  }
  return Uint8Array.from(bytes)
}

function textOf(bytes: Uint8Array<ArrayBuffer>, charset: string): string {
  for (const label of [charset, 'utf-8']) {
    try {
      if (label !== '') return new TextDecoder(label, { fatal: true }).decode(bytes)
    } catch {
      // The next one may know it.
    }
  }
  return new TextDecoder('windows-1252').decode(bytes)
}
