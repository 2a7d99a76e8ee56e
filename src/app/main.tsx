import '@fontsource-variable/inter/wght.css'
import '#ui/mantine-first.css'
import '#ui/global.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchInstallPrompt } from '#features/installed/index.ts'
import { recallScreen } from '#lib/seen-screens.ts'
import { loadLaterStyles } from '#ui/fetch-code.ts'
import { whenIdle } from '#ui/when-idle.ts'
import { App, queryClient } from './app.tsx'

const container = document.getElementById('root')
if (!container) throw new Error('app.html has no element #root')
watchInstallPrompt()
whenIdle(() => {
  loadLaterStyles().catch(() => {})
  // Without it, lists are chosen from by mouse and arrows.
  import('#ui/type-ahead.ts').then(
    ({ chooseByTyping }) => chooseByTyping(),
    () => {},
  )
  import('#ui/select-on-tab.ts').then(
    ({ selectOnTab }) => selectOnTab(),
    () => {},
  )
})
const root = createRoot(container)
// Before anything is rendered, so that no skeleton flashes; the code of the screen is loaded meanwhile.
recallScreen(queryClient).finally(() =>
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)
