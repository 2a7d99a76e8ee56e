import { shownMoment } from '#domain/dates.ts'
import { pastedName } from '#domain/files.ts'

/** The files that are pasted. A text that comes with a picture of itself, as tables do, is a text. */
export function pastedFiles(data: DataTransfer | null, timeZone: string): File[] {
  if (!data || data.types.includes('text/plain')) return []
  const moment = shownMoment(new Date().toISOString(), timeZone)
  return [...data.files].map((file) => {
    // A colon is no letter of a name on some systems.
    const name = pastedName(file.name, moment.replaceAll(':', '.'))
    return name === file.name ? file : new File([file], name, { type: file.type })
  })
}

/** The files that are dropped, whatever else comes with them: the browser would leave the page for one. */
export function droppedFiles(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])]
}
