import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { z } from 'zod/mini'
import { maybe } from '#lib/answers.ts'
import { callForJson } from '#lib/supabase.ts'

/** See the database's `search_card`. */
const keptRecord = z.object({
  kind: z.enum(['contacts', 'companies', 'deals']),
  id: z.string(),
  title: z.string(),
  about: maybe,
  /** Of a contact. */
  email: z.optional(maybe),
  phone_number: z.optional(maybe),
  /** Of a deal. */
  value: z.optional(z.number()),
  currency: z.optional(z.nullable(z.string())),
  stage: z.optional(maybe),
})

export type KeptRecord = z.output<typeof keptRecord>

const kept = z.object({ pinned: z.array(keptRecord), opened: z.array(keptRecord) })

type Kept = z.output<typeof kept>

const key = ['kept']

/** The pinned records, and those that were opened last. A record's page sends no request: `useNoteOpened` fills the cache. */
export function useKept({ asks = true } = {}) {
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => callForJson('kept_records', {}, kept, signal),
    staleTime: 5000,
    enabled: asks,
    meta: { isOfFrame: true },
  })
}

type Named = Pick<KeptRecord, 'kind' | 'id'>

/**
 * Puts the record in front of those opened last, once its page is there, and takes over what the answer tells. A failure
 * is no news: it is a mere trace.
 */
export function useNoteOpened({ kind, id }: Named, isThere: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!isThere) return
    callForJson('note_opened', { kind, id }, kept)
      .then((now) => queryClient.setQueryData(key, now))
      .catch(() => queryClient.invalidateQueries({ queryKey: key }))
  }, [kind, id, isThere, queryClient])
}

type Pin = { record: KeptRecord; isPinned: boolean }

function withPin(now: Kept, { record, isPinned }: Pin): Kept {
  const others = now.pinned.filter(({ id }) => id !== record.id)
  return { ...now, pinned: isPinned ? [...others, record] : others }
}

/** Pins or unpins a record; it shows at once, and a failure takes it back. */
export function usePin() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: key,
    // One after the other, so that the last choice wins.
    scope: { id: 'kept' },
    mutationFn: ({ record: { kind, id }, isPinned }: Pin) =>
      callForJson('pin_record', { kind, id, is_pinned: isPinned }, kept),
    onMutate: async (pin) => {
      await queryClient.cancelQueries({ queryKey: key })
      queryClient.setQueryData<Kept>(key, (now) => now && withPin(now, pin))
    },
    onSettled() {
      if (queryClient.isMutating({ mutationKey: key }) === 1) {
        queryClient.invalidateQueries({ queryKey: key })
      }
    },
    meta: { failed: 'Failed to pin', noUndo: 'Pins' },
  })
}
