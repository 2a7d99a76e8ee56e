import { useNameOf } from '#lib/record-pages.ts'

const load = async () => (await import('./deal-name-reader.ts')).readDealName

export function useDealName(id: string | undefined): string | undefined {
  return useNameOf(['deals'], id, load)
}
