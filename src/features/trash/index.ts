/** The screen comes when it is first opened. */
export const loadTrashPage = () => import('./trash-page.tsx')
