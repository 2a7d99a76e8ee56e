/** The screen comes when it is first opened. */
export const loadSettingsPage = () => import('./settings-page.tsx')
