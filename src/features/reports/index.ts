/** The screen comes when it is first opened. */
export const loadReportsPage = () => import('./reports-page.tsx')
