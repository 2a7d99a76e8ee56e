export { CompanySelect } from './company-select.tsx'
export { useCompanyName } from './queries.ts'
/** The screen comes when it is first opened. */
export const loadCompaniesPage = () => import('./companies-page.tsx')
