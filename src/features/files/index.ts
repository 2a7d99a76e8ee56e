import { lazyPart } from '#ui/lazy-part.tsx'
import { SectionPlace } from '#ui/section-place.tsx'

export { FileIcon } from './file-icon.tsx'
export { fileParam } from './file-param.ts'
export { droppedFiles, pastedFiles } from './files-in.ts'
export { useFiles, useFilesOfNotes } from './queries.ts'

/** What a record's page shows of files; its code comes after that of the page. */
export const RecordFiles = lazyPart(async () => (await import('./record-files.tsx')).RecordFiles, {
  loading: SectionPlace,
})

/** The files of a note on a timeline. */
export const NoteFiles = lazyPart(async () => (await import('./note-files.tsx')).NoteFiles)

/** The files that go with a note that is being written. */
export const AttachFiles = lazyPart(async () => (await import('./attach-files.tsx')).AttachFiles)

/** The used space, in the settings. */
export const SpaceRow = lazyPart(async () => (await import('./space-row.tsx')).SpaceRow)

/** Loaded when the first file is sent. */
export const loadUploads = () => import('./upload-queue.ts')

/** Sends one file, for who waits for it. */
export const loadUpload = () => import('./upload.ts')

/** What backups need: the contents of files, out and in. */
export const loadContents = () => import('./contents/queries.ts')
