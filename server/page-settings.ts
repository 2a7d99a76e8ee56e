import { createHash } from 'node:crypto'
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

/** The placeholder in worker.js for the revision of the app's page. */
const revisionPlace = 'revision-of-the-app'

/** The worker, with a revision that is another one whenever the page of the app, or a setting in it, is. */
export function fillRevision(worker: string, page: string): string {
  const revision = createHash('sha256').update(page).digest('base64url').slice(0, 22)
  return worker.replace(revisionPlace, () => revision)
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
