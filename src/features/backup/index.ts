/** The screen comes when it is first opened. */
export const loadBackupPage = () => import('./backup-page.tsx')
