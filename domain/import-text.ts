export type TextEncoding =
  | 'utf-8'
  | 'utf-16le'
  | 'utf-16be'
  | 'windows-1252'
  | 'windows-1250'
  | 'windows-1251'
  | 'shift_jis'
  | 'gbk'

/**
 * Detects the encoding by the first bytes: a byte order mark, the zeros that UTF-16 has beside plain letters, or
 * valid UTF-8. Anything else is Windows-1252 as far as bytes tell: see likeliestEncoding. Null when the file is not text.
 */
export function encodingOf(bytes: Uint8Array): TextEncoding | null {
  if (startsWith(bytes, [0xef, 0xbb, 0xbf])) return 'utf-8'
  if (startsWith(bytes, [0xff, 0xfe])) return 'utf-16le'
  if (startsWith(bytes, [0xfe, 0xff])) return 'utf-16be'
  const sample = bytes.subarray(0, 64 * 1024)
  const zeros = [0, 0]
  for (const [place, byte] of sample.entries()) {
    if (byte === 0) zeros[place % 2] = (zeros[place % 2] ?? 0) + 1
  }
  const [even = 0, odd = 0] = zeros
  const half = sample.length / 2
  if (odd > half * 0.4 && even < half * 0.1) return 'utf-16le'
  if (even > half * 0.4 && odd < half * 0.1) return 'utf-16be'
  if (hasControls(sample)) return null
  return isValid(bytes, 'utf-8') ? 'utf-8' : 'windows-1252'
}

function startsWith(bytes: Uint8Array, mark: number[]): boolean {
  return mark.every((byte, place) => bytes[place] === byte)
}

/**
 * Whether there are control characters other than tabs and line ends, as in pictures and archives. One or two, such as a
 * stray NUL, are in texts too.
 */
function hasControls(sample: Uint8Array): boolean {
  const controls = sample.filter((byte) => byte < 32 && ![9, 10, 12, 13, 26, 27].includes(byte))
  return controls.length > Math.max(2, sample.length / 200)
}

/** An encoding as a detector names it, with 0 to 100 for how sure it is. */
export type RankedEncoding = { name: string; confidence: number }

/** Our encodings by the names of a detector. Those of Windows hold nearly all letters of their ISO sisters. */
const ranked: Record<string, TextEncoding> = {
  'ISO-8859-1': 'windows-1252',
  'windows-1252': 'windows-1252',
  'ISO-8859-2': 'windows-1250',
  'windows-1250': 'windows-1250',
  'windows-1251': 'windows-1251',
  Shift_JIS: 'shift_jis',
  GB18030: 'gbk',
}

/** Below this, a detector only says what the bytes do not rule out. */
const leastConfidence = 15

/**
 * Chooses the encoding of a text of one or two bytes per letter. `letters` is what the detector was shown, `ranking` its
 * answer, the likeliest first. Where it is not sure, the text is Windows-1252: the user sees the letters and can choose.
 */
export function likeliestEncoding(letters: Uint8Array, ranking: RankedEncoding[]): TextEncoding {
  const isForeign = letters.filter((byte) => byte >= 0x80).length > letters.length * 0.6
  const known = ranking.flatMap(({ name, confidence }) => {
    const encoding = ranked[name]
    return encoding && isValid(letters, encoding) ? [{ encoding, confidence }] : []
  })
  // Hardly a plain letter: no language of Western or Central Europe looks so, however well single bytes match one.
  if (isForeign) {
    const foreign = known.find(({ encoding }) => !/125[02]$/.test(encoding))
    if (foreign) return foreign.encoding
  }
  const western = known.find(({ encoding }) => encoding === 'windows-1252')?.confidence ?? 0
  const best = known.find(({ confidence }) => confidence >= leastConfidence && confidence > western)
  return best?.encoding ?? 'windows-1252'
}

const cellEnds = [9, 10, 13, 34, 44, 59]
const mostLetters = 64 * 1024

/**
 * The cells that have letters beyond ASCII, one after the other, as a detector should see them: addresses and numbers
 * around them make every file look English. No byte of a cell's end is part of a letter in our encodings.
 */
export function foreignCells(bytes: Uint8Array): Uint8Array {
  const cells: number[] = []
  let start = 0
  let isForeign = false
  for (let place = 0; place <= bytes.length && cells.length < mostLetters; place += 1) {
    const byte = bytes[place] ?? 10
    if (byte >= 0x80) isForeign = true
    if (!cellEnds.includes(byte)) continue
    if (isForeign) cells.push(...bytes.subarray(start, Math.min(place, start + 4096)), 32)
    start = place + 1
    isForeign = false
  }
  return Uint8Array.from(cells)
}

function isValid(bytes: Uint8Array, encoding: TextEncoding): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Whether a text is a file of vCards. */
export function isCards(text: string): boolean {
  return /^\uFEFF?\s*BEGIN:VCARD\s/i.test(text.slice(0, 200))
}
