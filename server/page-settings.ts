import type { Backend } from './backend/start-backend.ts'
import type { Settings } from './settings.ts'

/** What the browser needs to reach the backend; an empty URL means the page's own server. */
export type PageSettings = { supabaseUrl: string; supabaseKey: string }

const block = /(<script type="application\/json" id="settings">)[^<]*(<\/script>)/

/** The settings for `app.html`: with them one build serves all three ways to run. */
export function pageSettings(
  settings: Pick<Settings, 'backend'>,
  backend: Pick<Backend, 'publicKey'> | null,
): PageSettings {
  if (settings.backend.kind === 'supabase') {
    return { supabaseUrl: settings.backend.url, supabaseKey: settings.backend.anonKey }
  }
  if (!backend) throw new Error('Only a hosted project runs without a backend of its own')
  return { supabaseUrl: '', supabaseKey: backend.publicKey }
}

/** Writes the settings into the page's JSON block, escaped so that no value can end the block. */
export function fillSettings(html: string, settings: PageSettings): string {
  if (!block.test(html)) throw new Error('app.html has no settings block')
  const json = JSON.stringify(settings).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  // A function, because "$&" in a replacement text would be read as an instruction.
  return html.replace(block, (_whole, open: string, close: string) => open + json + close)
}
