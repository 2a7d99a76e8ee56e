/** Loaded when the screen is first opened. */
export const loadDashboardPage = () => import('./dashboard-page.tsx')
