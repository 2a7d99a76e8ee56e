import { PostgrestClient } from '@supabase/postgrest-js'
import { checked, type Schema } from './answers.ts'
import { accessToken } from './auth-client.ts'
import { backend, fetchAndNote, windowHeaders } from './backend.ts'
import type { Database, Json } from './database.types.ts'
import { answerFromDevice } from './device-answers.ts'
import { isUnreachable } from './errors.ts'
import { inTime } from './network.ts'
import { signedFetch } from './signed-fetch.ts'
import { storedUser } from './stored-session.ts'

let client: PostgrestClient<Database> | undefined

/**
 * The client of the account's data. Created on first use, not on import, so that invalid settings show a message
 * instead of an empty page. Sessions: `auth-client.ts`; news of other windows: `realtime.ts`.
 */
export function supabase(): PostgrestClient<Database> {
  client ??= connect()
  return client
}

function connect(): PostgrestClient<Database> {
  const { url, key } = backend()
  return new PostgrestClient<Database>(`${url}/rest/v1`, {
    headers: windowHeaders,
    fetch: signedFetch(fetchAndNote, {
      publicKey: key,
      token: accessToken,
      hasSession: () => storedUser() !== null,
    }),
  })
}

/** Asks the server for anything at all: whatever it answers, there is a network. */
export async function tryNetwork(): Promise<void> {
  const { url, key } = backend()
  const options = { headers: { apikey: key }, signal: AbortSignal.timeout(5000) }
  await fetchAndNote(`${url}/auth/v1/health`, options).catch(() => {})
}

type Functions = Database['public']['Functions']
type FunctionName = keyof Functions & string
/** The functions that return JSON. Their generated type says nothing; a schema checks the answer. */
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
  expected: Schema<Answer>,
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
  // TypeScript cannot infer the type of the answer from a name that is a parameter.
  return data as Functions[Name]['Returns']
}
