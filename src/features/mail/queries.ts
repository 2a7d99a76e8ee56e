import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { nameOfAddress } from '#domain/mail-addresses.ts'
import { checked, maybe } from '#lib/answers.ts'
import { notFound } from '#lib/errors.ts'
import { askServer } from '#lib/server-call.ts'
import { callForJson, callFunction, supabase } from '#lib/supabase.ts'

const security = z.enum(['tls', 'starttls'])

const mailAccount = z.object({
  id: z.string(),
  address: z.string(),
  /** What stands before the address in its mails. */
  name: maybe,
  login: maybe,
  imap_host: z.string(),
  imap_port: z.number(),
  imap_security: security,
  smtp_host: maybe,
  smtp_port: z.number(),
  smtp_security: security,
  is_paused: z.boolean(),
  state: z.enum(['new', 'working', 'failed', 'locked']),
  problem: maybe,
  last_read_at: maybe,
  /** HTML that stands under new mails. */
  signature: maybe,
  /** Mails an hour; null for what the provider allows. */
  pace: z.nullable(z.number()),
})

export type MailAccount = z.output<typeof mailAccount>

const accountsKey = ['mail-accounts']

export function useMailAccounts() {
  return useQuery({
    queryKey: accountsKey,
    async queryFn({ signal }) {
      const { data, error } = await supabase()
        .from('mail_accounts')
        .select(Object.keys(mailAccount.shape).join(', '))
        .order('created_at')
        .abortSignal(signal)
        .retry(false)
      if (error) throw error
      return checked(z.array(mailAccount), data)
    },
    meta: { failed: 'Failed to fetch mailboxes' },
  })
}

const mailState = z.object({ isReady: z.boolean(), hasAgenda: z.boolean() })

/** Whether the server can keep passwords, and whether it sends agendas. */
export function useMailState() {
  return useQuery({
    queryKey: ['mail-state'],
    queryFn: async ({ signal }) =>
      checked(mailState, await (await askServer('/mail/v1/state', undefined, signal)).json()),
    meta: { failed: 'Failed to read the email settings' },
  })
}

const server = z.object({ host: z.string(), port: z.number(), security })

const foundServers = z.object({
  provider: z.nullable(z.string()),
  password: z.string(),
  isOAuthOnly: z.boolean(),
  imap: z.optional(server),
  smtp: z.optional(z.nullable(server)),
  /** The name to sign in with, where it is not the address. */
  login: z.optional(z.string()),
})

export type FoundServers = z.output<typeof foundServers>

export async function findServers(address: string): Promise<FoundServers> {
  return checked(foundServers, await (await askServer('/mail/v1/find', { address })).json())
}

/** The account as the server takes it; without a password the one that it keeps. */
export type AccountToSave = { account: object; password: string | null }

const tested = z.object({ imap: z.nullable(z.string()), smtp: z.nullable(z.string()) })

export function useTestAccount() {
  return useMutation({
    mutationFn: async (asked: AccountToSave) =>
      checked(tested, await (await askServer('/mail/v1/test', asked)).json()),
    meta: { failed: 'Failed to test mailbox' },
  })
}

export function useSaveAccount() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (asked: AccountToSave) => {
      await askServer('/mail/v1/save', asked)
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: accountsKey }),
    meta: { saved: 'Mailbox saved', failed: 'Failed to save mailbox' },
  })
}

export function useRemoveAccount() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (asked: { id: string; with_mails: boolean }) =>
      callFunction('remove_mail_account', asked),
    onSuccess: () => queryClient.invalidateQueries(),
    meta: { saved: 'Mailbox removed', failed: 'Failed to remove mailbox' },
  })
}

export function usePauseAccount() {
  const queryClient = useQueryClient()
  return useMutation({
    async mutationFn({ id, is_paused }: { id: string; is_paused: boolean }) {
      const change = supabase().from('mail_accounts').update({ is_paused }).eq('id', id)
      const { error } = await change
      if (error) throw error
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: accountsKey }),
    meta: { failed: 'Failed to change mailbox' },
  })
}

type Sending = { id: string; signature: string | null; pace: number | null }

/** How an account sends: what stands under its mails, and how many leave in an hour. */
export function useSaveSending() {
  const queryClient = useQueryClient()
  return useMutation({
    async mutationFn({ id, ...changes }: Sending) {
      const { data, error } = await supabase()
        .from('mail_accounts')
        .update(changes)
        .eq('id', id)
        .select('id')
      if (error) throw error
      if (data.length === 0) throw notFound()
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: accountsKey }),
    meta: { saved: 'Signature saved', failed: 'Failed to save signature', noUndo: 'Settings' },
  })
}

const exclusion = z.object({
  id: z.string(),
  value: maybe,
  contact: z.nullable(z.object({ id: z.string(), first_name: maybe, last_name: maybe })),
})
const exclusionsKey = ['mail-exclusions']

/** Contacts, addresses and domains that are left out. */
export function useExclusions() {
  return useQuery({
    queryKey: exclusionsKey,
    queryFn: ({ signal }) => callForJson('mail_left_out', {}, z.array(exclusion), signal),
    meta: { failed: 'Failed to fetch the list' },
  })
}

export function useAddExclusion() {
  const queryClient = useQueryClient()
  return useMutation({
    async mutationFn(value: string) {
      const { error } = await supabase().from('mail_exclusions').insert({ value })
      if (error) throw error
    },
    onSuccess: () => queryClient.invalidateQueries(),
    meta: { failed: 'Failed to add it to the list' },
  })
}

export function useRemoveExclusion() {
  const queryClient = useQueryClient()
  return useMutation({
    async mutationFn(id: string) {
      const { error } = await supabase().from('mail_exclusions').delete().eq('id', id)
      if (error) throw error
    },
    onSuccess: () => queryClient.invalidateQueries(),
    meta: { failed: 'Failed to remove it from the list' },
  })
}

const suggestions = z.array(z.object({ address: z.string(), name: maybe }))
const suggestionsKey = ['mail-accounts', 'suggestions']

/** People whom the user writes to, and who are no contacts. */
export function useSuggestions({ isEnabled = true } = {}) {
  return useQuery({
    queryKey: suggestionsKey,
    enabled: isEnabled,
    queryFn: ({ signal }) => callForJson('mail_suggestions', {}, suggestions, signal),
    meta: { failed: 'Failed to fetch people you write to' },
  })
}

export function useTakeSuggestion() {
  const queryClient = useQueryClient()
  return useMutation({
    async mutationFn({ address, name }: { address: string; name: string | null }) {
      const [first_name = '', ...rest] = (name ?? nameOfAddress(address)).split(' ')
      const { error } = await supabase()
        .from('contacts')
        .insert({ email: address, first_name, last_name: rest.join(' ') })
      if (error) throw error
    },
    onSuccess: () => queryClient.invalidateQueries(),
    meta: { saved: 'Contact created successfully', failed: 'Failed to create contact' },
  })
}

export function useDeclineSuggestion() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (address: string) => callFunction('decline_suggestion', { address }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: suggestionsKey }),
    meta: { failed: 'Failed to remove it from the list' },
  })
}
