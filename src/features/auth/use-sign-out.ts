import { useState } from 'react'
import { leaveWaiting } from '#lib/leave-waiting.ts'
import { showError, showToast } from '#ui/toast.tsx'
import { mayDiscardAll } from '#ui/use-leave-question.ts'
import { useAuth } from './auth-provider.tsx'

/** What every sign-out control does, with its two toasts. */
export function useSignOut() {
  const { leave } = useAuth()
  const [isPending, setIsPending] = useState(false)
  async function run(): Promise<void> {
    if (!(await mayDiscardAll())) return
    try {
      const hasLeft = await leaveWaiting('sign out', () => {
        setIsPending(true)
        return leave()
      })
      if (!hasLeft) return
      showToast({ title: 'Signed out', message: 'You have been successfully signed out.' })
    } catch {
      showError('Failed to sign out. Please try again.')
    } finally {
      setIsPending(false)
    }
  }
  return { signOut: run, isPending }
}
