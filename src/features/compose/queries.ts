import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { z } from 'zod/mini'
import { contactName } from '#domain/contact.ts'
import { isSameAddress } from '#domain/mail-addresses.ts'
import { type Correspondent, everybody, type MailDraft } from '#domain/mail-draft.ts'
import {
  mailsHeld,
  mailsPlanned,
  mailsRetried,
  mailsStopped,
  type OutgoingMail,
  outbox,
  outgoingMail,
  type PlannedMail,
} from '#domain/outgoing-mail.ts'
import { type EmailContact, readRecipients } from '#features/emails/index.ts'
import type { ComposerRequest } from '#features/forms/index.ts'
import type { Json } from '#lib/database.types.ts'
import { callForJson, callFunction, supabase } from '#lib/supabase.ts'

/** Somebody who may be written to. */
export type AddressChoice = { id: string; person: Correspondent; about: string }

const nothing: AddressChoice[] = []

/** Contacts by a search, each of their addresses a choice. */
export function useAddressChoices(search: string) {
  const { data, isFetching, isPlaceholderData, isError } = useQuery({
    queryKey: ['contacts', 'addresses', search],
    enabled: search !== '',
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { rows } = await readRecipients({ search }, null, signal, 10)
      return rows.flatMap(choicesOf)
    },
  })
  return {
    choices: search === '' ? nothing : (data ?? nothing),
    isLoading: isFetching || isPlaceholderData,
    hasFailed: isError,
  }
}

/** The contacts of companies or deals. */
export function useContactsBehind(behind: NonNullable<ComposerRequest['behind']>) {
  return useQuery({
    queryKey: ['contacts', 'behind', behind],
    queryFn: ({ signal }) => callForJson('contacts_behind', behind, z.array(z.string()), signal),
    // As they are now, and not again while it is written.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

/** Each lookup is a request, and a reply rarely has more recipients. */
const mostLookedUp = 10

/** The draft with its addresses linked to the contacts who have them. */
export async function withContacts(draft: MailDraft, signal: AbortSignal): Promise<MailDraft> {
  const unknown = everybody(draft).filter(({ contact }) => !contact)
  const known = await Promise.all(
    unknown.slice(0, mostLookedUp).map(async ({ address }) => {
      const { rows } = await readRecipients({ search: address }, null, signal, 10)
      return rows.flatMap(choicesOf).find(({ person }) => isSameAddress(person.address, address))
    }),
  )
  const asKnown = (each: Correspondent) =>
    known.find((choice) => isSameAddress(choice?.person.address ?? '', each.address))?.person ??
    each
  return {
    ...draft,
    to: draft.to.map(asKnown),
    cc: draft.cc.map(asKnown),
    bcc: draft.bcc.map(asKnown),
  }
}

function choicesOf(contact: EmailContact): AddressChoice[] {
  return addressesOf(contact).map(({ address, label }) => ({
    id: `${contact.id} ${address}`,
    person: correspondentOf(contact, address),
    about: label ? `${address} · ${label}` : address,
  }))
}

/** Every address of a contact, the first one first. */
function addressesOf({ email, emails = [] }: EmailContact): { address: string; label: string }[] {
  const all = emails.map(({ value, label }) => ({ address: value, label: label ?? '' }))
  const isThere = all.some(({ address }) => isSameAddress(address, email ?? ''))
  return email && !isThere ? [{ address: email, label: '' }, ...all] : all
}

/** A contact as somebody a mail goes to. */
export function correspondentOf(contact: EmailContact, address: string): Correspondent {
  const hasName = Boolean(contact.first_name || contact.last_name)
  return { address, name: hasName ? contactName(contact) : '', contact }
}

/** Every address of one contact. */
export function useAddressesOf(id: string | null) {
  return useQuery({
    queryKey: ['contacts', 'addresses of', id],
    enabled: id !== null,
    queryFn: async ({ signal }) => {
      const { rows } = await readRecipients({ ids: [id ?? ''] }, null, signal, 1)
      return rows.flatMap(addressesOf)
    },
  })
}

const outboxKey = ['outgoing-mails', 'outbox']

/** What waits, is leaving, failed or was stopped. */
export function useOutbox({ isWatched = true } = {}) {
  return useInfiniteQuery({
    queryKey: outboxKey,
    queryFn: ({ pageParam, signal }) =>
      callForJson('outbox', pageParam === null ? {} : { before: pageParam }, outbox, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    meta: { failed: 'Failed to fetch the outbox' },
    // Polls while a mail is being sent or due within a minute, because live news about it may come late.
    refetchInterval: ({ state }) =>
      isWatched && state.data?.pages.some((page) => page.mails.some(isOnItsWay)) ? 5000 : false,
  })
}

function isOnItsWay({ state, send_at }: { state: string; send_at: string }): boolean {
  return state === 'sending' || (state === 'planned' && Date.parse(send_at) < Date.now() + 60_000)
}

/** One whole mail of the outbox, to write on. */
export function readOutgoing(id: string, signal?: AbortSignal): Promise<OutgoingMail> {
  return callForJson('outgoing_mail', { id }, outgoingMail, signal)
}

/** A write to the outbox, which is read again after it. */
function useOutboxWrite<Input, Answer>(
  write: (input: Input) => Promise<Answer>,
  meta: { failed?: string } = {},
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: write,
    meta,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['outgoing-mails'] }),
  })
}

/** Without words for a failure: the composer, which stays open, tells it at its place. */
export function usePlanMails() {
  return useOutboxWrite(({ mails, replaces }: { mails: PlannedMail[]; replaces: string[] }) =>
    callForJson('plan_mails', { mails: mails as Json, replaces }, mailsPlanned),
  )
}

export function useStopMails() {
  return useOutboxWrite((ids: string[]) => callForJson('stop_mails', { ids }, mailsStopped), {
    failed: 'Failed to stop the email',
  })
}

export function useStopRun() {
  return useOutboxWrite((run: string) => callForJson('stop_run', { run }, mailsStopped), {
    failed: 'Failed to stop the emails',
  })
}

export function useRetryMails() {
  return useOutboxWrite((ids: string[]) => callForJson('retry_mails', { ids }, mailsRetried), {
    failed: 'Failed to try again',
  })
}

/** Keeps a planned mail from leaving while it is written on; by a lease, which ends if this window dies. */
export function holdMail(id: string): Promise<{ gone: string[] }> {
  return callForJson('hold_mails', { ids: [id] }, mailsHeld)
}

export function releaseMail(id: string): Promise<unknown> {
  return callForJson('hold_mails', { ids: [id], holds: false }, mailsHeld)
}

export function useRetryRun() {
  return useOutboxWrite(
    (asked: { run: string; state: 'failed' | 'stopped' }) =>
      callForJson('retry_run', asked, mailsRetried),
    { failed: 'Failed to send again' },
  )
}

export function useForgetRun() {
  return useOutboxWrite((run: string) => callFunction('forget_run', { run }), {
    failed: 'Failed to delete the emails',
  })
}

/** Takes away files that were stored for a mail that was discarded. */
export async function removeStored(ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await supabase().from('files').delete().in('id', ids)
}

export function useForgetMails() {
  return useOutboxWrite((ids: string[]) => callFunction('forget_mails', { ids }), {
    failed: 'Failed to delete the email',
  })
}
