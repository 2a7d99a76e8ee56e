import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { browserStorage } from './browser-storage.ts'
import type { Database } from './database.types.ts'
import { readPageSettings } from './page-settings.ts'

let client: SupabaseClient<Database> | undefined

/**
 * The one client of the page. Made at first use rather than on import, so that settings that cannot
 * be read end in a message on the screen and not in an empty page.
 */
export function supabase(): SupabaseClient<Database> {
  client ??= connect()
  return client
}

function connect() {
  const { supabaseUrl, supabaseKey } = readPageSettings()
  return createClient<Database>(supabaseUrl || window.location.origin, supabaseKey, {
    auth: {
      storage: browserStorage(),
      persistSession: true,
      autoRefreshToken: true,
      detectSessionInUrl: true,
    },
  })
}
