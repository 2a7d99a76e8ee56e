/** The screen comes when it is first opened. */
export const loadDashboardPage = () => import('./dashboard-page.tsx')
