import { useNameOf } from '#lib/record-pages.ts'

const load = async () => (await import('./contact-name-reader.ts')).readContactName

export function useContactName(id: string | undefined): string | undefined {
  return useNameOf(['contacts'], id, load)
}
