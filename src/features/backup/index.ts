/** Loaded when the screen is first opened. */
export const loadBackupPage = () => import('./backup-page.tsx')
