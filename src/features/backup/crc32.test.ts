import { expect, test } from 'vitest'
import { crc32 } from './crc32.ts'

test('the check sum is that of zip files, in one go and in parts', () => {
  const bytes = new TextEncoder().encode('123456789')
  expect(crc32(bytes)).toBe(0xcb_f4_39_26)
  expect(crc32(bytes.subarray(4), crc32(bytes.subarray(0, 4)))).toBe(0xcb_f4_39_26)
  expect(crc32(new Uint8Array())).toBe(0)
})
