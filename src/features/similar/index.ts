export { SimilarRecords } from './similar-records.tsx'
