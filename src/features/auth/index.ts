export { useSession } from './queries.ts'
