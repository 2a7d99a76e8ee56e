import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAuth } from '#features/auth/index.ts'
import { LeaveQuestionHost } from '#features/waiting/index.ts'
import { useIsOffline } from '#lib/network.ts'
import { readAgain } from '#lib/use-list-write.ts'
import { openWaiting, prepareWaiting } from '#lib/waiting-writes.ts'
import { useReadsSettled } from './use-preloaded.ts'

/** Lists of at most this many pages are read again after a waiting write was sent: its row may be on any page. */
const mostPages = 20

/**
 * Sends the waiting writes of the signed-in account; after a session has ended, only once the user is signed in again. It
 * begins when the first screen has read its data, or with the first write; without a network, where no screen reads, at once.
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
