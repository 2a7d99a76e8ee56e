import { z } from 'zod'
import { type Ask, InterfaceError } from '#domain/interface/interface-function.ts'

/** Sends the JSON of a call to `rpc/call_with_token`: over the network, or to the backend in this process. */
export type SendCall = (body: string) => Promise<Response>

const refusal = z.object({ code: z.string().nullish(), message: z.string() })

/** Asks the database with a token. */
export function askWithToken(token: string, send: SendCall): Ask {
  return async (name, args) => {
    const body = JSON.stringify({ p_token: token, p_name: name, p_args: args })
    const response = await send(body)
    const answer = await response.json().catch(() => null)
    if (response.ok) return answer
    const read = refusal.safeParse(answer)
    const { status } = response
    if (!read.success) {
      const words = 'The server could not answer. Nothing was done; try again in a moment.'
      throw new InterfaceError(status, 'no_answer', words)
    }
    // Whatever a function tried to write where only reading is allowed.
    if (read.data.code === '25006') {
      throw new InterfaceError(403, 'read_only', 'This access token may only read.')
    }
    throw new InterfaceError(status, read.data.code ?? 'refused', read.data.message)
  }
}
