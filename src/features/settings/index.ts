/** Loaded when the screen is first opened. */
export const loadSettingsPage = () => import('./settings-page.tsx')
