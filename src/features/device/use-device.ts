import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTimeZone } from '#features/preferences/index.ts'
import { answerWith } from '#lib/device-answers.ts'
import { useKeepsData } from '#lib/device-store.ts'

/** Keeps the account's data on this device, from when the first screen has read its own, and answers with it. */
export function useDevice(
  queryClient: QueryClient,
  account: string | undefined,
  isSettled: boolean,
): void {
  const keeps = useKeepsData()
  const timeZone = useTimeZone()
  useEffect(() => {
    if (!account || !keeps) return
    answerWith(async (name, args) => {
      const { answerOf } = await import('./answers.ts')
      return answerOf(account, name, args)
    })
    return () => answerWith(null)
  }, [account, keeps])
  useEffect(() => {
    if (!account || !keeps || !isSettled) return
    let stop = () => {}
    let isOver = false
    import('./keeper.ts').then(
      ({ keepDevice }) => {
        if (!isOver) stop = keepDevice(queryClient, account, timeZone)
      },
      // The server is away, or has another version: the next start keeps.
      () => {},
    )
    return () => {
      isOver = true
      stop()
    }
  }, [queryClient, account, keeps, isSettled, timeZone])
}
