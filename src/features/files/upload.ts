import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex } from '@noble/hashes/utils'
import { filePartSize } from '#domain/files.ts'
import { addFile, encoded, sendPart, startUpload } from './contents/queries.ts'
import type { FilePlace, StoredFile } from './queries.ts'

type Upload = {
  /** The id of the new file: the same for all tries, so that a lost answer adds nothing twice. */
  id: string
  file: Blob
  name: string
  place: FilePlace
  signal: AbortSignal
  /** Called with the bytes that have arrived. */
  onProgress: (sent: number) => void
}

/** Why a file was not added, in words. */
export class UploadProblem extends Error {}

/** Sends a file in parts: those that an earlier try has sent are there already. */
export async function upload({
  id,
  file,
  name,
  place,
  signal,
  onProgress,
}: Upload): Promise<StoredFile> {
  const hash = await hashOf(file, signal)
  // What was damaged on the way is sent once more.
  for (let tries = 0; tries < 2; tries += 1) {
    const { missing } = await startUpload(hash, file.size, signal)
    let sent = file.size - missing.reduce((sum, part) => sum + sizeOf(file, part), 0)
    onProgress(sent)
    for (const part of missing) {
      const bytes = await partOf(file, part)
      await sendPart(hash, part, encoded(bytes), signal)
      sent += bytes.length
      onProgress(sent)
    }
    const added = await addFile({ id, sha256: hash, name }, place, signal)
    if (added) return added
  }
  throw new UploadProblem('The file was damaged on the way. Nothing was saved; try again.')
}

function sizeOf({ size }: Blob, part: number): number {
  return Math.min(filePartSize, size - part * filePartSize)
}

async function partOf(file: Blob, part: number): Promise<Uint8Array> {
  const from = part * filePartSize
  try {
    return new Uint8Array(await file.slice(from, from + filePartSize).arrayBuffer())
  } catch {
    throw new UploadProblem(
      'This file can’t be read. It may have been moved or changed; choose it again.',
    )
  }
}

/** Part by part, so that no file is in memory whole. The browser's own function is missing over plain http. */
async function hashOf(file: Blob, signal: AbortSignal): Promise<string> {
  const hash = sha256.create()
  for (let part = 0; part * filePartSize < file.size; part += 1) {
    signal.throwIfAborted()
    hash.update(await partOf(file, part))
  }
  return bytesToHex(hash.digest())
}
