import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAuth, verifySession } from '#features/auth/index.ts'
import { hasTypedText } from '#ui/use-leave-question.ts'
import { useReadsSettled } from './use-preloaded.ts'

/** In milliseconds. */
const retry = 10_000

/** Shows what other windows, devices and programs of the account change. Starts once the first screen has read its data. */
export function Live() {
  const queryClient = useQueryClient()
  const { user } = useAuth()
  const account = user?.id
  const isSettled = useReadsSettled()
  useEffect(() => {
    if (!isSettled || !account) return
    let stop = () => {}
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    async function start(id: string): Promise<void> {
      try {
        const { followChanges } = await import('#lib/live.ts')
        if (isOver) return
        stop = followChanges({
          queryClient,
          account: id,
          isTyping: hasTypedText,
          onRefused: verifySession,
        })
      } catch {
        // The server is away, or has another version: the next part that is opened says so.
        if (!isOver) timer = setTimeout(start, retry, id)
      }
    }
    void start(account)
    return () => {
      isOver = true
      clearTimeout(timer)
      stop()
    }
  }, [isSettled, account, queryClient])
  return null
}
