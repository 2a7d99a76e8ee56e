export { startWorker } from './app-worker.ts'
export { InstallPanel } from './install-panel.tsx'
export { watchInstallPrompt } from './install-prompt.ts'
