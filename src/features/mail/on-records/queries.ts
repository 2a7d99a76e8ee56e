import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { maybe } from '#lib/answers.ts'
import { callForJson, supabase } from '#lib/supabase.ts'

/** The record whose conversations are shown. */
export type Subject = { record: 'contact' | 'company' | 'deal'; id: string }

const conversation = z.object({
  thread: z.string(),
  last_at: z.string(),
  mails: z.number(),
  subject: maybe,
  snippet: maybe,
  people: z.array(z.string()),
  has_attachments: z.boolean(),
  is_waiting: z.boolean(),
})

export type Conversation = z.output<typeof conversation>

const conversationsPage = z.object({ rows: z.array(conversation), is_private: z.boolean() })

/**
 * Whether there is mail at all: a mailbox, or mails that stayed when it was removed. Asked once, so that the pages of
 * those who connect none ask for nothing.
 */
export function useHasMail(): { hasMail: boolean; isAsking: boolean } {
  const { data, isLoading } = useQuery({
    queryKey: ['mail-accounts', 'any'],
    staleTime: Number.POSITIVE_INFINITY,
    async queryFn({ signal }) {
      const [boxes, mails] = await Promise.all(
        (['mail_accounts', 'mails'] as const).map((table) =>
          supabase().from(table).select('id').limit(1).abortSignal(signal).retry(false),
        ),
      )
      const error = boxes?.error ?? mails?.error
      if (error) throw error
      return (boxes?.data?.length ?? 0) + (mails?.data?.length ?? 0) > 0
    },
  })
  return { hasMail: data ?? false, isAsking: isLoading }
}

const pageSize = 20

/** The conversations of the story of a record, the newest first. */
export function useConversations(subject: Subject) {
  const { hasMail: isEnabled, isAsking } = useHasMail()
  const query = useInfiniteQuery({
    queryKey: ['conversations', subject.record, subject.id],
    enabled: isEnabled,
    queryFn: ({ pageParam, signal }) =>
      callForJson(
        'record_conversations',
        { ...subject, page_size: pageSize, ...(pageParam ? { before: pageParam } : {}) },
        conversationsPage,
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ rows }) => (rows.length === pageSize ? rows.at(-1)?.last_at : undefined),
    meta: { failed: 'Failed to fetch conversations' },
  })
  return { ...query, isEnabled, isAsking }
}

/** Keeps the emails with a contact out of Solo CRM, or lets them in again. */
export function useSetPrivate(contact: string) {
  const queryClient = useQueryClient()
  return useMutation({
    async mutationFn(isPrivate: boolean) {
      const exclusions = supabase().from('mail_exclusions')
      const { error } = isPrivate
        ? await exclusions.insert({ contact })
        : await exclusions.delete().eq('contact', contact)
      // Another window was faster.
      if (error && error.code !== '23505') throw error
    },
    onSuccess: () => queryClient.invalidateQueries(),
    meta: { failed: 'Failed to change what is private' },
  })
}

const reply = z.object({
  thread: z.string(),
  subject: maybe,
  snippet: maybe,
  at: z.string(),
  sender: maybe,
  sender_name: maybe,
  contact_id: z.string(),
})

export type WaitingReply = z.output<typeof reply>

/** Mails of contacts to which nobody has answered yet. */
export function useRepliesWaiting() {
  const { hasMail: isEnabled } = useHasMail()
  return useQuery({
    queryKey: ['replies-waiting'],
    enabled: isEnabled,
    queryFn: ({ signal }) => callForJson('replies_waiting', {}, z.array(reply), signal),
    meta: { failed: 'Failed to fetch waiting replies' },
  })
}
