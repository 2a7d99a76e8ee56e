export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/**
 * Detects the encoding by the first bytes: a byte order mark, the zeros that UTF-16 has beside plain letters, or
 * valid UTF-8. Null when the file is not text.
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
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252'
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

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
