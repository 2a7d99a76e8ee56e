export { DealSelect } from './deal-select.tsx'
export { useDealName } from './queries.ts'
