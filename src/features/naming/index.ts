export type { NameDialogProps } from './name-dialog.tsx'
export { NameDialog } from './name-dialog-loader.tsx'
