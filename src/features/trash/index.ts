/** Loaded when the screen is first opened. */
export const loadTrashPage = () => import('./trash-page.tsx')
