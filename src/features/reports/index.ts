/** Loaded when the screen is first opened. */
export const loadReportsPage = () => import('./reports-page.tsx')
