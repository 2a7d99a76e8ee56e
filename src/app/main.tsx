import '@fontsource-variable/inter/wght.css'
import '@mantine/core/styles.layer.css'
import '#ui/global.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchInstallPrompt } from '#features/installed/index.ts'
import { App } from './app.tsx'

const container = document.getElementById('root')
if (!container) throw new Error('app.html has no element #root')
watchInstallPrompt()
createRoot(container).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
