import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { maybe } from '#lib/answers.ts'
import { callForJson } from '#lib/supabase.ts'

/** What the mark needs of the outbox; the screen reads it whole. */
const counted = z.object({ mails: z.array(z.object({ state: z.string() })), next: maybe })

/** Counts the mails that wait or failed. A failed read shows no error, because the user did not ask for the count. */
export function useOutboxCount() {
  return useQuery({
    queryKey: ['outgoing-mails', 'count'],
    async queryFn({ signal }) {
      const { mails, next } = await callForJson('outbox', {}, counted, signal)
      const shown = mails.filter(({ state }) => state !== 'stopped')
      const failed = shown.filter(({ state }) => state === 'failed').length
      return { count: shown.length, failed, isMore: next !== null }
    },
  })
}
