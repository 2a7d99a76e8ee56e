import { z } from 'zod/mini'
import { partCount } from '#domain/files.ts'
import { notFound } from '#lib/errors.ts'
import { callForJson, callFunction } from '#lib/supabase.ts'
import { type FilePlace, type StoredFile, storedFile } from '../queries.ts'

const started = z.object({ is_whole: z.boolean(), missing: z.array(z.number()) })

/** Takes room, and answers which parts are missing. */
export function startUpload(sha256: string, size: number, signal?: AbortSignal) {
  return callForJson('start_upload', { sha256, size }, started, signal)
}

/** Idempotent: the same part may be sent again. */
export function sendPart(sha256: string, part: number, bytes: string, signal?: AbortSignal) {
  return callFunction('add_upload_part', { sha256, part, bytes }, signal)
}

/** Whether all of it has arrived as it was sent. */
export function finishUpload(sha256: string): Promise<boolean> {
  return callFunction('finish_upload', { sha256 })
}

const added = z.object({ file: z.nullable(storedFile) })

/** Adds a file whose content has arrived; null when it was damaged on the way. Idempotent. */
export async function addFile(
  file: { id: string; sha256: string; name: string },
  place: FilePlace,
  signal?: AbortSignal,
): Promise<StoredFile | null> {
  const answer = await callForJson('add_file', { ...file, [place.record]: place.id }, added, signal)
  return answer.file
}

type Content = { sha256: string; size: number }

/** What a file holds, part by part. */
export async function* readParts({ sha256, size }: Content, signal?: AbortSignal) {
  for (let part = 0; part < partCount(size); part += 1) {
    const text = await callFunction('file_part', { sha256, part }, signal)
    // The database answers null when there is none; the generated types do not know that.
    if (!text) throw notFound()
    yield decoded(text)
  }
}

function decoded(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text)
  const bytes = new Uint8Array(letters.length)
  for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at)
  return bytes
}

/** The bytes of a part as they are sent. */
export function encoded(bytes: Uint8Array): string {
  let letters = ''
  // More arguments at a time than this are too many for some browsers.
  const step = 8192
  for (let at = 0; at < bytes.length; at += step) {
    letters += String.fromCharCode(...bytes.subarray(at, at + step))
  }
  return btoa(letters)
}

/** What a file holds, in one piece, under a type that no browser runs. */
export async function readContent(
  file: Content,
  type: string,
  signal?: AbortSignal,
): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  for await (const part of readParts(file, signal)) parts.push(part)
  return new Blob(parts, { type })
}
