import { useQueryClient } from '@tanstack/react-query'
import { useAuth } from '#features/auth/index.ts'
import { useDevice } from '#features/device/index.ts'
import { useReadsSettled } from './use-preloaded.ts'

/** Keeps on this device what the account has seen and needs without a network. */
export function Device() {
  const { user } = useAuth()
  useDevice(useQueryClient(), user?.id, useReadsSettled())
  return null
}
