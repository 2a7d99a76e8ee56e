import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAuth } from '#features/auth/index.ts'
import { LeaveQuestionHost } from '#features/waiting/index.ts'
import { readAgain } from '#lib/use-list-write.ts'
import { openWaiting } from '#lib/waiting-writes.ts'

/** Sends what waits of the account that is signed in; after a session that has ended, once it is there again. */
export function Waiting() {
  const auth = useAuth()
  const queryClient = useQueryClient()
  const account = auth.status === 'signed-in' && !auth.hasEnded ? auth.user.id : null
  useEffect(() => {
    if (account) return openWaiting(account, () => readAgain(queryClient))
  }, [account, queryClient])
  return <LeaveQuestionHost />
}
