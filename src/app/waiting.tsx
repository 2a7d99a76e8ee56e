import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAuth } from '#features/auth/index.ts'
import { LeaveQuestionHost } from '#features/waiting/index.ts'
import { useIsOffline } from '#lib/network.ts'
import { readAgain } from '#lib/use-list-write.ts'
import { openWaiting, prepareWaiting } from '#lib/waiting-writes.ts'
import { useReadsSettled } from './use-preloaded.ts'

/** As many pages of a list are read again when something that waited was sent: a row of it may be on any of them. */
const mostPages = 20

/**
 * Sends what waits of the account that is signed in; after a session that has ended, once it is there again. It begins
 * when the first screen has read its data, or with the first write; without a network, where that never happens, at once.
 */
export function Waiting() {
  const auth = useAuth()
  const queryClient = useQueryClient()
  const isSettled = useReadsSettled()
  const isOffline = useIsOffline()
  const isTime = isSettled || isOffline
  const account = auth.status === 'signed-in' && !auth.hasEnded ? auth.user.id : null
  useEffect(() => {
    if (account) return prepareWaiting(account, () => readAgain(queryClient, mostPages))
  }, [account, queryClient])
  useEffect(() => {
    if (account && isTime) void openWaiting()
  }, [account, isTime])
  return <LeaveQuestionHost />
}
