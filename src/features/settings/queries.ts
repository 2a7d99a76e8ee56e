import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { useAuth } from '#features/auth/index.ts'
import { maybe } from '#lib/answers.ts'
import { authClient, temporaryAuthClient } from '#lib/auth-client.ts'
import type { DeletedAccountKey } from '#lib/deleted-account.ts'
import { wipeDevice } from '#lib/device-store.ts'
import { callForJson, callFunction } from '#lib/supabase.ts'

/** Where the account is signed in: see the database's `account_sessions`. */
const accountSession = z.object({
  id: z.string(),
  user_agent: maybe,
  created_at: z.string(),
  last_used_at: z.string(),
  is_current: z.boolean(),
})

export type AccountSession = z.output<typeof accountSession>

/** Checks the account's password; throws when the check fails. */
async function isPassword(email: string, password: string): Promise<boolean> {
  const client = await temporaryAuthClient()
  const { error } = await client.signInWithPassword({ email, password })
  if (error?.message.includes('Invalid login credentials')) return false
  if (error) throw error
  // End the session that the check created.
  await client.signOut({ scope: 'local' })
  return true
}

type Proof = { email: string; currentPassword: string }

/** A change that needs the password. Returns false when the password is wrong. */
function useProven<Change extends object>(
  act: (change: Change & Proof) => Promise<void>,
  failed: string,
) {
  const { mutateAsync } = useMutation({
    async mutationFn(change: Change & Proof): Promise<boolean> {
      if (!(await isPassword(change.email, change.currentPassword))) return false
      await act(change)
      return true
    },
    meta: { failed },
  })
  return mutateAsync
}

/** A new password ends the account's other sessions. */
export function useChangePassword() {
  return useProven<{ password: string }>(async ({ currentPassword, password }) => {
    const { error } = await (await authClient()).updateUser({
      password,
      current_password: currentPassword,
    })
    if (error) throw error
  }, 'Failed to change password')
}

/** Sends a mail to the new address; the change comes with the link in it. */
export function useChangeEmail() {
  return useProven<{ newEmail: string }>(async ({ newEmail }) => {
    const options = { emailRedirectTo: `${window.location.origin}/` }
    const { error } = await (await authClient()).updateUser({ email: newEmail }, options)
    if (error) throw error
  }, 'Failed to change email')
}

const sessionsKey = ['account-sessions']

export function useSessions() {
  return useQuery({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => callForJson('account_sessions', {}, z.array(accountSession), signal),
    meta: { failed: 'Failed to fetch sessions' },
  })
}

async function signOutElsewhere(): Promise<void> {
  const { error } = await (await authClient()).signOut({ scope: 'others' })
  if (error) throw error
}

export function useSignOutElsewhere() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: signOutElsewhere,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionsKey }),
    meta: { saved: 'Signed out everywhere else', failed: 'Failed to sign out everywhere else' },
  })
}

async function deleteAccount(address: string): Promise<void> {
  await callFunction('delete_account', { address })
  // The session was deleted with the account; remove it here too.
  await (await authClient()).signOut({ scope: 'local' })
}

function rememberDeletion(): void {
  const key: DeletedAccountKey = 'solo-account-deleted'
  try {
    window.sessionStorage.setItem(key, key)
  } catch {
    // Without storage the landing page shows no message.
  }
}

/** Deletes the account with all its data, and opens the landing page, which shows a message. */
export function useDeleteAccount() {
  const { user } = useAuth()
  const { mutateAsync } = useMutation({
    mutationFn: deleteAccount,
    async onSuccess() {
      if (user) {
        await wipeDevice(user.id)
      }
      rememberDeletion()
      window.location.replace('/')
    },
    meta: { failed: 'Failed to delete account' },
  })
  return mutateAsync
}
