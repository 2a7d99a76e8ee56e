export { CompanyDetails } from './company-details.tsx'
export { CompanyDialog } from './company-dialog-part.ts'
export { CompanyLink } from './company-link.tsx'
export { useCompanyName } from './company-name.ts'
export { CompanySelect } from './company-select.tsx'
export { companyUrl, companyView } from './company-view.ts'
export {
  type CompanyRecord,
  type LinkedDeal,
  linkedDeals,
  useCompany,
  useCompanyNeighbours,
} from './queries.ts'
export { useRemoveCompany } from './use-remove-company.ts'
/** Loaded when the screen is first opened. */
export const loadCompaniesPage = () => import('./companies-page.tsx')
