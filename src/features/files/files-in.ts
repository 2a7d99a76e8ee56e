import { pastedName } from '#domain/files.ts'

/** The files that are dropped or pasted. A text that is pasted with a picture of itself, as tables do, is a text. */
export function filesIn(data: DataTransfer | null): File[] {
  if (!data || data.types.includes('text/plain')) return []
  const moment = new Date().toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
  return [...data.files].map((file) => {
    // A colon is no letter of a name on some systems.
    const name = pastedName(file.name, moment.replaceAll(':', '.'))
    return name === file.name ? file : new File([file], name, { type: file.type })
  })
}
