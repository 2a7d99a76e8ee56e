import { takeEarlyAnswer } from './first-data.ts'
import { noteAnswer } from './network.ts'
import { newId } from './new-id.ts'
import { readPageSettings } from './page-settings.ts'

/** The name of this window, sent with every request: see `live.ts`. */
export const windowName = newId()

export const windowHeaders = { 'x-solo-window': windowName }

/** The address of the backend, and the key of the project. */
export function backend(): { url: string; key: string } {
  const { supabaseUrl, supabaseKey } = readPageSettings()
  return { url: supabaseUrl.replace(/\/$/, '') || window.location.origin, key: supabaseKey }
}

/** Sends a request and notes whether there is a network. */
export async function fetchAndNote(
  input: RequestInfo | URL,
  init?: RequestInit,
): Promise<Response> {
  try {
    const answer = await (takeEarlyAnswer(input, init) ?? fetch(input, init))
    noteAnswer(true)
    return answer
  } catch (error) {
    // A request that was taken back says nothing about the network.
    if (!init?.signal?.aborted) noteAnswer(false)
    throw error
  }
}
