export { startWorker } from './app-worker.ts'
export { watchInstallPrompt } from './install-prompt.ts'
export { InstallRow } from './install-row.tsx'
