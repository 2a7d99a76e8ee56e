import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { maybe } from '#lib/answers.ts'
import { askServer } from '#lib/server-call.ts'
import { callForJson, callFunction } from '#lib/supabase.ts'

const person = z.object({ role: z.string(), name: z.string(), address: z.string() })

const storedMail = z.object({
  id: z.string(),
  direction: z.enum(['in', 'out']),
  sender: maybe,
  sender_name: maybe,
  recipients: z.array(person),
  subject: maybe,
  body_text: maybe,
  body_html: maybe,
  is_cut: z.boolean(),
  sent_at: z.string(),
  attachments: z.array(
    z.object({
      ...{ part: z.string(), name: z.string(), type: z.string(), size: z.number() },
      /** The content id by which the HTML of the mail shows this attachment. */
      cid: z.optional(maybe),
    }),
  ),
  is_automatic: z.boolean(),
  is_doubtful: z.boolean(),
  deal: maybe,
  account_id: maybe,
})

export type StoredMail = z.output<typeof storedMail>

/** The mails of a conversation, the oldest first. */
export function useConversation(thread: string) {
  return useQuery({
    queryKey: ['conversation', thread],
    queryFn: ({ signal }) => callForJson('conversation', { thread }, z.array(storedMail), signal),
    meta: { failed: 'Failed to fetch conversation' },
  })
}

export function useMakePrivate() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (ids: string[]) => callFunction('make_mails_private', { ids }),
    onSuccess: () => queryClient.invalidateQueries(),
    meta: { saved: 'Email removed from Solo CRM', failed: 'Failed to make it private' },
  })
}

/** Which deal a conversation is about, or none. */
export function useSetThreadDeal() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (asked: { thread: string; deal: string | null }) =>
      callFunction('set_thread_deal', asked),
    onSuccess: () => queryClient.invalidateQueries(),
    meta: { saved: 'Conversation saved', failed: 'Failed to save conversation' },
  })
}

/** What an attachment holds, out of the mailbox. */
export async function fetchAttachment(
  asked: { mail: string; part: string },
  signal?: AbortSignal,
): Promise<Blob> {
  return (await askServer('/mail/v1/attachment', asked, signal)).blob()
}

/** Saves an attachment, which the server reads out of the mailbox, as a file. */
export function useDownload() {
  return useMutation({
    async mutationFn({ mail, part, name }: { mail: string; part: string; name: string }) {
      const url = URL.createObjectURL(await fetchAttachment({ mail, part }))
      const link = document.createElement('a')
      link.href = url
      link.download = name
      link.click()
      // The browser has begun to save it by then.
      setTimeout(() => URL.revokeObjectURL(url), 60_000)
    },
    meta: { failed: 'Failed to open attachment' },
  })
}

/** A picture of a mail, fetched by our server, as text that a page without rights may show. */
export async function fetchPicture(url: string): Promise<string | null> {
  try {
    const blob = await (await askServer('/mail/v1/picture', { url })).blob()
    return await new Promise((resolve) => {
      const reader = new FileReader()
      reader.onload = () => resolve(String(reader.result))
      reader.onerror = () => resolve(null)
      reader.readAsDataURL(blob)
    })
  } catch {
    return null
  }
}
