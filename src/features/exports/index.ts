export { type ExportChoice, ExportChoices } from './export-choices.tsx'
export { FilesMenu } from './files-menu.tsx'
export { useExport } from './use-export.ts'
