/** What is sent and read at a time; the database takes no other size. */
export const filePartSize = 1_048_576

/** How many parts a file of this size has. */
export function partCount(size: number): number {
  return Math.ceil(size / filePartSize)
}

const rasters = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

/**
 * How a file is shown, by the type that the database read from its content. Only pictures made of pixels and PDF files
 * are: everything else, SVG and HTML among it, is downloaded.
 */
export function shownAs(type: string): 'image' | 'pdf' | 'download' {
  if (rasters.has(type)) return 'image'
  return type === 'application/pdf' ? 'pdf' : 'download'
}

/** '340 kB', '2.4 MB'. */
export function shownSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const kilobytes = bytes / 1024
  if (kilobytes < 1000) return `${Math.max(1, Math.round(kilobytes))} kB`
  const megabytes = kilobytes / 1024
  if (megabytes < 1000) return `${shortened(megabytes)} MB`
  return `${shortened(megabytes / 1024)} GB`
}

function shortened(value: number): string {
  return value >= 10 ? String(Math.round(value)) : String(Math.round(value * 10) / 10)
}

/** 'PDF', 'DOCX': what the name says it is; empty when it says nothing. */
export function endingOf(name: string): string {
  const [, ending = ''] = /\.([a-z0-9]{1,5})$/i.exec(name) ?? []
  return ending.toUpperCase()
}

/** Why a file cannot be added, in words; null when it can. */
export function fileProblem(size: number, most: number): string | null {
  if (size === 0) return 'This file is empty.'
  if (size > most) return `This file is larger than ${shownSize(most)}.`
  return null
}

/** A pasted picture has no name of its own: browsers call all of them 'image.png'. */
export function pastedName(name: string, moment: string): string {
  return /^image\.(png|jpe?g)$/i.test(name) ? name.replace(/^image/i, `Pasted ${moment}`) : name
}
