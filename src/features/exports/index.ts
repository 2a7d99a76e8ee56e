export { FilesMenu } from './files-menu.tsx'
export { useExport } from './use-export.ts'
