/** The screen comes when it is first opened. */
export const loadContactsPage = () => import('./contacts-page.tsx')
