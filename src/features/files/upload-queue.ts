import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { fileProblem } from '#domain/files.ts'
import { errorMessage, isUnreachable } from '#lib/errors.ts'
import { isOffline, watchNetwork } from '#lib/network.ts'
import { newId } from '#lib/new-id.ts'
import { rememberedUser } from '#lib/stored-session.ts'
import { readAgain } from '#lib/use-list-write.ts'
import { warnBeforeUnload } from '#ui/unload-warning.ts'
import { type FilePlace, readFileLimit, type Subject } from './queries.ts'
import { UploadProblem, upload } from './upload.ts'

/** A file on its way, or one that could not be sent. */
export type Job = {
  id: string
  name: string
  size: number
  file: Blob
  place: FilePlace
  /** The record on whose page it is shown. */
  subject: Subject
  state: 'waiting' | 'sending' | 'failed'
  sent: number
  /** Why it failed, in words. */
  problem: string | null
  /** Whether another try may help. */
  canRetry: boolean
  /** It goes on by itself once there is a network. */
  waitsForNetwork: boolean
}

let jobs: readonly Job[] = []
const listeners = new Set<() => void>()
let running: { id: string; controller: AbortController } | null = null
let client: QueryClient | null = null
let account: string | undefined
let stopWarning: (() => void) | null = null

function set(next: readonly Job[]): void {
  jobs = next
  const isBusy = jobs.some(({ state, waitsForNetwork }) => state !== 'failed' || waitsForNetwork)
  if (isBusy) stopWarning ??= warnBeforeUnload()
  else {
    stopWarning?.()
    stopWarning = null
  }
  for (const listener of listeners) listener()
}

function patch(id: string, values: Partial<Job>): void {
  set(jobs.map((job) => (job.id === id ? { ...job, ...values } : job)))
}

const without = (id: string) => jobs.filter((job) => job.id !== id)

type NewFile = Pick<File, 'name' | 'size'> & Blob

/** Sends files one after the other, also when the user goes to another page. */
export function addFiles(
  queryClient: QueryClient,
  files: readonly NewFile[],
  place: FilePlace,
  subject: Subject,
): void {
  const user = rememberedUser()?.id
  // What another account began is not sent in the name of this one.
  if (user !== account) {
    running?.controller.abort()
    running = null
    set([])
  }
  account = user
  client = queryClient
  set([
    ...jobs,
    ...files.map((file) => ({
      ...{ id: newId(), name: file.name, size: file.size, file, place, subject },
      ...{
        state: 'waiting' as const,
        sent: 0,
        problem: null,
        canRetry: true,
        waitsForNetwork: false,
      },
    })),
  ])
  void work()
}

/** Takes a file out of the queue. What has arrived of it is dropped by the database after a day. */
export function stopUpload(id: string): void {
  if (running?.id === id) running.controller.abort()
  set(without(id))
}

export function retryUpload(id: string): void {
  patch(id, { state: 'waiting', problem: null, waitsForNetwork: false })
  void work()
}

async function work(): Promise<void> {
  if (running) return
  const job = jobs.find(({ state }) => state === 'waiting')
  if (!job || !client) return
  const controller = new AbortController()
  const mine = { id: job.id, controller }
  running = mine
  patch(job.id, { state: 'sending' })
  try {
    await send(job, controller.signal, client)
  } catch (error) {
    if (!controller.signal.aborted) fail(job.id, error)
  } finally {
    if (running === mine) running = null
  }
  await work()
}

async function send(job: Job, signal: AbortSignal, queryClient: QueryClient): Promise<void> {
  const problem = fileProblem(job.size, job.size === 0 ? 0 : await readFileLimit(queryClient))
  if (problem) return patch(job.id, { state: 'failed', problem, canRetry: false })
  const { id, file, name, place } = job
  const onProgress = (sent: number) => patch(id, { sent })
  await upload({ id, file, name, place, signal, onProgress })
  // Shown by the list before its line in the queue goes.
  await readAgain(queryClient).catch(() => {})
  set(without(id))
}

const noNetwork = 'You’re offline. The upload resumes automatically.'

function fail(id: string, error: unknown): void {
  const isAway = isUnreachable(error)
  const problem =
    error instanceof UploadProblem ? error.message : isAway ? noNetwork : errorMessage(error)
  patch(id, { state: 'failed', problem, canRetry: true, waitsForNetwork: isAway })
}

watchNetwork(() => {
  if (isOffline()) return
  for (const { id, waitsForNetwork } of jobs) if (waitsForNetwork) retryUpload(id)
})

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The files on their way to a record, and to notes on it. */
export function useUploads({ record, id }: Subject): Job[] {
  const all = useSyncExternalStore(subscribe, () => jobs)
  return all.filter(({ subject }) => subject.record === record && subject.id === id)
}
