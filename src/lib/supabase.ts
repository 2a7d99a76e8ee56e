import {
  createClient,
  type SupabaseClient,
  type SupabaseClientOptions,
} from '@supabase/supabase-js'
import type { z } from 'zod/mini'
import { checked } from './answers.ts'
import type { Database, Json } from './database.types.ts'
import { answerFromDevice } from './device-answers.ts'
import { isUnreachable } from './errors.ts'
import { leavingFetch } from './leaving-fetch.ts'
import { inTime, noteAnswer } from './network.ts'
import { newId } from './new-id.ts'
import { readPageSettings } from './page-settings.ts'
import { signedFetch } from './signed-fetch.ts'
import { sessionKey, sessionStorage, storedUser } from './stored-session.ts'

/** The name of this window, sent with every request: see `live.ts`. */
export const windowName = newId()

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
    storage: sessionStorage(),
    storageKey: sessionKey(),
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
  const global = {
    fetch: signedFetch(supabaseKey, leavingFetch(fetchAndNote), () => storedUser() !== null),
    headers: { 'x-solo-window': windowName },
  }
  return createClient<Database>(supabaseUrl || window.location.origin, supabaseKey, {
    auth,
    global,
  })
}

async function fetchAndNote(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    const answer = await fetch(input, init)
    noteAnswer(true)
    return answer
  } catch (error) {
    // A request that was taken back says nothing about the network.
    if (!init?.signal?.aborted) noteAnswer(false)
    throw error
  }
}

/** Asks the server for anything at all: whatever it answers, there is a network. */
export async function tryNetwork(): Promise<void> {
  const { supabaseUrl, supabaseKey } = readPageSettings()
  const address = `${supabaseUrl || window.location.origin}/auth/v1/health`
  const options = { headers: { apikey: supabaseKey }, signal: AbortSignal.timeout(5000) }
  await fetchAndNote(address, options).catch(() => {})
}

type Functions = Database['public']['Functions']
type FunctionName = keyof Functions & string
/** Those that build JSON: of what, only a schema can tell. */
type JsonFunction = {
  [Name in FunctionName]: Json extends Functions[Name]['Returns'] ? Name : never
}[FunctionName]

export type FunctionArguments<Name extends FunctionName> = [Functions[Name]['Args']] extends [never]
  ? Record<string, never>
  : Functions[Name]['Args']

/** Calls a function of the database whose answer has a generated type. */
export async function callFunction<Name extends Exclude<FunctionName, JsonFunction>>(
  name: Name,
  args: FunctionArguments<Name>,
  signal?: AbortSignal,
): Promise<Functions[Name]['Returns']> {
  return call(name, args, signal)
}

/** Calls a function of the database that builds JSON, and checks that it is what the caller expects. */
export async function callForJson<Name extends JsonFunction, Answer>(
  name: Name,
  args: FunctionArguments<Name>,
  expected: z.ZodMiniType<Answer>,
  signal?: AbortSignal,
): Promise<Answer> {
  return checked(expected, await call(name, args, signal))
}

async function call<Name extends FunctionName>(
  name: Name,
  args: FunctionArguments<Name>,
  signal: AbortSignal | undefined,
): Promise<Functions[Name]['Returns']> {
  // The library types no arguments as undefined; an empty object is the same.
  const request = supabase().rpc(name, args as Functions[Name]['Args'])
  const { data, error } = await inTime(signal ? request.abortSignal(signal) : request)
  if (error && isUnreachable(error)) {
    const kept = await answerFromDevice(name, args, signal)
    // Checked by the caller, as an answer of the server would be.
    if (kept !== undefined) return kept as Functions[Name]['Returns']
  }
  if (error) throw error
  // It cannot tell the types of a function by a name that is a parameter here.
  return data as Functions[Name]['Returns']
}
