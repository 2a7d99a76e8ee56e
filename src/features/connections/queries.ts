import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { type Scope, scopes } from '#domain/access-token.ts'
import { loggedBatch, loggedChange } from '#domain/log.ts'
import { showUndoToast } from '#features/history/index.ts'
import { maybe } from '#lib/answers.ts'
import { callForJson, callFunction } from '#lib/supabase.ts'
import { readFromTheStart } from '#lib/use-list-write.ts'
import { waitingCountsKey } from '#lib/waiting-counts.ts'
import { showError, showToast } from '#ui/toast.tsx'

/** See the database's `access_tokens`. */
const accessToken = z.object({
  id: z.string(),
  name: z.string(),
  scope: z.enum(scopes),
  created_at: z.string(),
  expires_at: maybe,
  revoked_at: maybe,
  has_ended: z.boolean(),
  last_used_at: maybe,
  last_address: maybe,
  refused_at: maybe,
  refused_address: maybe,
  /** The host of the connected app, for tokens that were granted on our consent page. */
  client_host: maybe,
})

export type AccessToken = z.output<typeof accessToken>

const tokensKey = ['access-tokens']

export function useTokens() {
  return useQuery({
    queryKey: tokensKey,
    queryFn: ({ signal }) => callForJson('access_tokens', {}, z.array(accessToken), signal),
    meta: { failed: 'Failed to fetch access tokens' },
  })
}

const made = z.object({ id: z.string(), token: z.string() })

type NewToken = { name: string; scope: Scope; ends: string | null }

/** Its answer is the only place where the token stands. */
export function useCreateToken() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ name, scope, ends }: NewToken) =>
      callForJson('create_access_token', { name, scope, expires_at: ends }, made),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: tokensKey }),
    meta: { failed: 'Failed to create token' },
  })
}

export function useRevokeToken() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => callFunction('revoke_access_tokens', { ids: [id] }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: tokensKey }),
    meta: { saved: 'Token revoked', failed: 'Failed to revoke token' },
  })
}

/** All tokens of the account. */
export function useRevokeAll() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => callFunction('revoke_access_tokens', {}),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: tokensKey }),
    meta: { failed: 'Failed to revoke tokens' },
  })
}

/** Takes one that has ended off the list. */
export function useRemoveToken() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => callFunction('remove_access_token', { id }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: tokensKey }),
    meta: { failed: 'Failed to remove token' },
  })
}

/** See the database's `proposals`. */
const proposedChange = z.extend(loggedChange, {
  row_id: maybe,
  contact_id: maybe,
  company_id: maybe,
  deal_id: maybe,
})

const proposal = z.object({
  id: z.string(),
  by: z.string(),
  at: z.string(),
  expires_at: z.string(),
  card: loggedBatch,
  changes: z.array(proposedChange),
  /** The values are too long for a list: `useProposal` reads them. */
  is_cut: z.boolean(),
})

export type Proposal = z.output<typeof proposal>

const proposalsKey = ['proposals']

export function useProposals() {
  return useQuery({
    queryKey: proposalsKey,
    queryFn: ({ signal }) => callForJson('proposals', {}, z.array(proposal), signal),
    staleTime: 60_000,
    meta: { failed: 'Failed to fetch proposals' },
  })
}

/** One with all its values; null where it no longer waits. */
export function useProposal(id: string) {
  return useQuery({
    queryKey: [...proposalsKey, id],
    queryFn: ({ signal }) => callForJson('proposal', { id }, z.nullable(proposal), signal),
    staleTime: 60_000,
    meta: { failed: 'Failed to fetch proposals' },
  })
}

const decided = z.array(
  z.object({
    id: z.string(),
    status: z.enum(['approved', 'declined', 'failed']),
    message: z.optional(z.string()),
    batch: z.optional(maybe),
  }),
)

type Decision = { ids: string[]; approve: boolean }

/** So many are decided within the time limit of one call, also where each writes much. */
const mostAtOnce = 10

async function decideInParts({ ids, approve }: Decision) {
  const answers: z.output<typeof decided> = []
  for (let start = 0; start < ids.length; start += mostAtOnce) {
    const part = { ids: ids.slice(start, start + mostAtOnce), approve }
    answers.push(...(await callForJson('decide_proposals', part, decided)))
  }
  return answers
}

/** Approves or declines proposals, the first of the list first. One that cannot be done stays, and its reason is shown. */
export function useDecide() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: decideInParts,
    onSuccess: (answers) => report(queryClient, answers),
    // Also after a failure: another window may have decided the proposal.
    onSettled: () => {
      queryClient.invalidateQueries({ queryKey: waitingCountsKey })
      return queryClient.invalidateQueries({ queryKey: proposalsKey })
    },
    meta: { failed: 'Failed to save your decision', noUndo: 'Decisions' },
  })
}

function report(queryClient: QueryClient, answers: z.output<typeof decided>): void {
  const batches = answers.flatMap(({ batch }) => batch ?? [])
  const problem = answers.find(({ status }) => status === 'failed')
  if (batches.length > 0) {
    readFromTheStart(queryClient)
    showUndoToast({
      message: batches.length > 1 ? `${batches.length} proposals approved` : 'Approved',
      batch: async () => batches.toReversed(),
      onUndone: () => readFromTheStart(queryClient),
    })
  }
  if (problem) showError(problem.message ?? 'This can no longer be done.')
  else if (batches.length === 0 && answers.length > 0) showToast({ message: 'Declined' })
}
