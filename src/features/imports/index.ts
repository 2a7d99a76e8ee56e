/** The code of the screen comes when it is opened. */
export const loadImportPage = () => import('./import-page.tsx')
