const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1)
    value = value & 1 ? (value >>> 1) ^ 0xed_b8_83_20 : value >>> 1
  return value
})

/** The checksum of zip files. For data in parts, pass the result of the part before. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let value = ~before
  for (const byte of bytes) value = (value >>> 8) ^ (table[(value ^ byte) & 255] ?? 0)
  return ~value >>> 0
}
