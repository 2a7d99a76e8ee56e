/** Loaded when the screen is first opened. */
export const loadReportsPage = () => import('./reports-page.tsx')
export const loadWeekPage = () => import('./week-page.tsx')
