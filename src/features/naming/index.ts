export { NameDialog } from './name-dialog-loader.tsx'
