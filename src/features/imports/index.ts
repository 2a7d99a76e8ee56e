export { bringFile } from './brought-file.ts'

/** Loaded when the screen is first opened. */
export const loadImportPage = () => import('./import-page.tsx')
