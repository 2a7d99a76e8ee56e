import { errorMessage } from '#lib/errors.ts'
import { saveFile } from '#lib/save-file.ts'
import { showError } from '#ui/toast.tsx'
import { readContent } from './contents/queries.ts'
import type { StoredFile } from './queries.ts'

/** Downloads a file, under a type that no browser opens as a page. */
export async function saveStoredFile(file: StoredFile, content?: Blob): Promise<void> {
  try {
    const type = 'application/octet-stream'
    const bytes = content ? content.slice(0, content.size, type) : await readContent(file, type)
    saveFile(bytes, file.name)
  } catch (error) {
    showError(`Failed to download ${file.name}: ${errorMessage(error)}`)
  }
}
