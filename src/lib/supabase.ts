import {
  createClient,
  type SupabaseClient,
  type SupabaseClientOptions,
} from '@supabase/supabase-js'
import { browserStorage } from './browser-storage.ts'
import type { Database } from './database.types.ts'
import { readPageSettings } from './page-settings.ts'
import { signedFetch } from './signed-fetch.ts'

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
  return clientWith({
    storage: browserStorage(),
    persistSession: true,
    autoRefreshToken: true,
    detectSessionInUrl: true,
  })
}

/** A client beside the one of the page: what it does about sessions leaves the user's own alone. */
export function temporaryClient(): SupabaseClient<Database> {
  return clientWith({
    storageKey: 'solo-passing',
    persistSession: false,
    autoRefreshToken: false,
    detectSessionInUrl: false,
  })
}

type AuthOptions = NonNullable<SupabaseClientOptions<'public'>['auth']>

function clientWith(auth: AuthOptions): SupabaseClient<Database> {
  const { supabaseUrl, supabaseKey } = readPageSettings()
  const global = { fetch: signedFetch(supabaseKey, (input, init) => fetch(input, init)) }
  return createClient<Database>(supabaseUrl || window.location.origin, supabaseKey, {
    auth,
    global,
  })
}

type Functions = Database['public']['Functions']
export type FunctionArguments<Name extends keyof Functions> = [Functions[Name]['Args']] extends [
  never,
]
  ? Record<string, never>
  : Functions[Name]['Args']

/**
 * Calls a function of the database. Of one that builds JSON, the caller says what it builds, which is
 * written down in its migration.
 */
export async function callFunction<
  Name extends keyof Functions & string,
  Answer = Functions[Name]['Returns'],
>(name: Name, args: FunctionArguments<Name>, signal?: AbortSignal): Promise<Answer> {
  // The library knows no arguments as undefined only; empty ones are the same.
  const request = supabase().rpc(name, args as Functions[Name]['Args'])
  const { data, error } = await (signal ? request.abortSignal(signal) : request)
  if (error) throw error
  return data as Answer
}
