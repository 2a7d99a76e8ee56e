export { CompanySelect } from './company-select.tsx'
/** The screen comes when it is first opened. */
export const loadCompaniesPage = () => import('./companies-page.tsx')
