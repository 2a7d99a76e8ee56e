import { lazyPart } from '#ui/lazy-part.tsx'

export { KeepDataRow } from './keep-data-row.tsx'
export { useDevice } from './use-device.ts'

/** The line that says that there is no network. */
export const OfflineLine = lazyPart(async () => (await import('./offline-line.tsx')).OfflineLine)
