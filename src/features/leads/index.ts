export { LeadsPanel } from './leads-panel.tsx'
export { NewLeads } from './new-leads-part.ts'

/** Loaded when the screen is first opened. */
export const loadFormsPage = () => import('./forms-page.tsx')
