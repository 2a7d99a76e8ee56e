/** Where the device sends what another app shares; named in `manifest.webmanifest` too. */
export const sharePath = '/app/open/shared'

/** What another app shared: a text, or files with contacts. */
export type Shared = { text: string; files: File[] }

const cacheName = 'solo-shared'
const textAt = '/shared/text'
const fileAt = (place: number) => `/shared/files/${place}`

/** Keeps it for the page, which may have to ask for a sign-in first. */
export async function keepShared(form: FormData): Promise<void> {
  await caches.delete(cacheName)
  const cache = await caches.open(cacheName)
  await cache.put(textAt, new Response(lineOf(form)))
  const files = form.getAll('files').filter((each) => each instanceof File)
  for (const [place, file] of files.entries()) {
    const name = encodeURIComponent(file.name)
    await cache.put(fileAt(place), new Response(file, { headers: { 'X-Name': name } }))
  }
}

/** Hands over what was shared, once. */
export async function takeShared(): Promise<Shared | null> {
  if (!('caches' in window) || !(await caches.has(cacheName))) return null
  const cache = await caches.open(cacheName)
  const text = (await (await cache.match(textAt))?.text()) ?? ''
  const files: File[] = []
  for (;;) {
    const kept = await cache.match(fileAt(files.length))
    if (!kept) break
    const name = decodeURIComponent(kept.headers.get('X-Name') ?? 'Contacts.vcf')
    files.push(new File([await kept.blob()], name))
  }
  await caches.delete(cacheName)
  return { text, files }
}

/** Title, text and address in one line, each once: many apps repeat one in the other. */
function lineOf(form: FormData): string {
  const parts = ['title', 'text', 'url'].map((name) => String(form.get(name) ?? '').trim())
  return parts
    .filter(
      (part, at) =>
        part !== '' && !parts.some((other, place) => isRepeated(at, place, part, other)),
    )
    .join(' ')
    .replaceAll(/\s+/g, ' ')
}

function isRepeated(at: number, place: number, part: string, other: string): boolean {
  return at !== place && other.includes(part) && (other !== part || place < at)
}
