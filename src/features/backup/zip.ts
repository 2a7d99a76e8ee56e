/** A file in a zip, as the directory at its end lists it. */
export type ZipEntry = {
  name: string
  /** 0 is stored, 8 is deflated. */
  method: number
  packedSize: number
  crc32: number
  size: number
  /** The position of its local header. */
  offset: number
}

/** How many bytes at the end of a file are needed to find the directory. */
export const directoryTail = 66_000
/** The size of a local header without the file name. */
export const localHeaderSize = 30

const endMark = 0x06_05_4b_50
const entryMark = 0x02_01_4b_50
const localMark = 0x04_03_4b_50

/**
 * Finds the directory of a zip from the end of the file; null when the file is truncated or no zip.
 */
export function findDirectory(
  tail: Uint8Array,
  fileSize: number,
): { offset: number; size: number } | null {
  const view = viewOf(tail)
  for (let at = tail.length - 22; at >= 0; at -= 1) {
    if (view.getUint32(at, true) !== endMark) continue
    const size = view.getUint32(at + 12, true)
    const offset = view.getUint32(at + 16, true)
    const isInside = offset + size <= fileSize - (tail.length - at)
    return isInside ? { offset, size } : null
  }
  return null
}

/** The files of a zip; null when the directory is damaged. */
export function readDirectory(bytes: Uint8Array): ZipEntry[] | null {
  const view = viewOf(bytes)
  const entries: ZipEntry[] = []
  for (let at = 0; at < bytes.length; ) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== entryMark) return null
    const nameLength = view.getUint16(at + 28, true)
    const end = at + 46 + nameLength
    if (end > bytes.length) return null
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(at + 46, end)),
      method: view.getUint16(at + 10, true),
      crc32: view.getUint32(at + 16, true),
      packedSize: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    })
    at = end + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

/** The size of a local header; null when it is invalid. */
export function headerLength(header: Uint8Array): number | null {
  if (header.length < localHeaderSize) return null
  const view = viewOf(header)
  if (view.getUint32(0, true) !== localMark) return null
  return localHeaderSize + view.getUint16(26, true) + view.getUint16(28, true)
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}
