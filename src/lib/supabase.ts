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
 * The Supabase client of the page. Created on first use, not on import, so that invalid settings show a message instead
 * of an empty page.
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

/** A second client that does not touch the user's session, such as to check a password. */
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
 * Calls a function of the database. For one that returns JSON, the caller names the type.
 */
export async function callFunction<
  Name extends keyof Functions & string,
  Answer = Functions[Name]['Returns'],
>(name: Name, args: FunctionArguments<Name>, signal?: AbortSignal): Promise<Answer> {
  // The library types no arguments as undefined; an empty object is the same.
  const request = supabase().rpc(name, args as Functions[Name]['Args'])
  const { data, error } = await (signal ? request.abortSignal(signal) : request)
  if (error) throw error
  return data as Answer
}
