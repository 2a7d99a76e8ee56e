import { useNameOf } from '#lib/record-pages.ts'

const load = async () => (await import('./company-name-reader.ts')).readCompanyName

export function useCompanyName(id: string | undefined): string | undefined {
  return useNameOf(['companies'], id, load)
}
