import { createHash } from 'node:crypto'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteAnswer } from '#lib/network.ts'
import { createQueryClient } from '#lib/query-client.ts'
import { beginSession } from '#lib/test-session.ts'
import { addFiles, retryUpload, stopUpload, useUploads } from './upload-queue.ts'

const megabyte = 1_048_576
const subject = { record: 'contact', id: 'c' } as const

/** A database that keeps what it is sent, and can lose the answer of any call. */
function fakeBackend() {
  const parts = new Map<number, Buffer>()
  const added: { id: string; name: string }[] = []
  const calls: string[] = []
  /** What becomes of the next call of this name: null loses the answer, a text refuses it. */
  const next: Partial<Record<string, 'lost before' | 'lost after' | string>> = {}
  let hash = ''
  let size = 0
  type Sent = {
    sha256: string
    size: number
    part: number
    bytes: string
    id: string
    name: string
  }
  const functions: Record<string, (args: Sent) => unknown> = {
    file_space: () => ({ used: 0, account_bytes: 100 * megabyte, file_bytes: 25 * megabyte }),
    start_upload(args) {
      ;[hash, size] = [args.sha256, args.size]
      const all = Array.from({ length: Math.ceil(size / megabyte) }, (_, part) => part)
      return { is_whole: false, missing: all.filter((part) => !parts.has(part)) }
    },
    add_upload_part(args) {
      parts.set(args.part, Buffer.from(args.bytes, 'base64'))
      return null
    },
    add_file(args) {
      const bytes = Buffer.concat([...parts].sort(([a], [b]) => a - b).map(([, each]) => each))
      if (createHash('sha256').update(bytes).digest('hex') !== hash) {
        parts.clear()
        return { file: null }
      }
      if (!added.some(({ id }) => id === args.id)) added.push(args)
      const file = { id: args.id, name: args.name, type: 'x', size, sha256: hash }
      return { file: { ...file, note_id: null, created_at: '2026-11-18T10:00:00Z' } }
    },
  }
  const send = vi.fn<typeof fetch>(async (input, init) => {
    const name = String(input).split('/rpc/')[1] ?? ''
    const fate = next[name]
    delete next[name]
    calls.push(name)
    init?.signal?.throwIfAborted()
    if (fate === 'lost before') throw new TypeError('Failed to fetch')
    if (fate && fate !== 'lost after') {
      return Response.json({ code: 'PT413', message: fate }, { status: 413 })
    }
    const answer = functions[name]?.(JSON.parse(String(init?.body ?? '{}')))
    if (fate === 'lost after') throw new TypeError('Failed to fetch')
    return Response.json(answer)
  })
  return { send, parts, added, calls, next }
}

let backend = fakeBackend()
let endSession = () => {}
beforeEach(() => {
  backend = fakeBackend()
  endSession = beginSession()
  vi.spyOn(globalThis, 'fetch').mockImplementation((...args) => backend.send(...args))
})
afterEach(() => {
  cleanup()
  endSession()
  noteAnswer(true)
  vi.restoreAllMocks()
})

function setUp() {
  const listeners = { onSaved: vi.fn(), onFailed: vi.fn(), onSessionGone: vi.fn() }
  const client = createQueryClient(listeners)
  const { result } = renderHook(() => useUploads(subject))
  const add = (...files: File[]) => act(() => addFiles(client, files, subject, subject))
  return { jobs: () => result.current, add }
}

function fileOf(size: number, name = 'offer.pdf'): File {
  return new File([Buffer.alloc(size, 7)], name)
}

const isFailed = (job: { state: string } | undefined) => expect(job?.state).toBe('failed')

test('a file is sent part by part, and leaves the queue once it is added', async () => {
  const { jobs, add } = setUp()
  add(fileOf(2 * megabyte + 5))
  expect(jobs()).toMatchObject([{ name: 'offer.pdf', state: 'sending' }])
  await waitFor(() => expect(jobs()).toEqual([]))
  expect([...backend.parts.values()].map(({ length }) => length)).toEqual([megabyte, megabyte, 5])
  expect(backend.added).toMatchObject([{ name: 'offer.pdf', contact: 'c' }])
})

test('after a lost connection only the rest is sent, by itself', async () => {
  const { jobs, add } = setUp()
  backend.next.add_file = 'lost before'
  add(fileOf(megabyte + 1))
  await waitFor(() => isFailed(jobs()[0]))
  expect(jobs()[0]?.problem).toBe('You’re offline. The upload resumes automatically.')
  const sent = backend.calls.filter((name) => name === 'add_upload_part').length
  act(() => noteAnswer(true))
  await waitFor(() => expect(jobs()).toEqual([]))
  expect(backend.calls.filter((name) => name === 'add_upload_part')).toHaveLength(sent)
  expect(backend.added).toHaveLength(1)
})

test('a lost answer adds nothing twice', async () => {
  const { jobs, add } = setUp()
  backend.next.add_file = 'lost after'
  add(fileOf(10))
  await waitFor(() => isFailed(jobs()[0]))
  act(() => retryUpload(jobs()[0]?.id ?? ''))
  await waitFor(() => expect(jobs()).toEqual([]))
  expect(backend.added).toHaveLength(1)
})

test('what was damaged on the way is sent once more', async () => {
  const { jobs, add } = setUp()
  // Left by an earlier try, and not what the file holds.
  backend.parts.set(0, Buffer.alloc(10, 9))
  add(fileOf(10))
  await waitFor(() => expect(jobs()).toEqual([]))
  expect(backend.added).toHaveLength(1)
})

test('a stopped file is not added, and the next one goes on', async () => {
  const { jobs, add } = setUp()
  add(fileOf(megabyte, 'one.pdf'), fileOf(10, 'two.pdf'))
  act(() => stopUpload(jobs()[0]?.id ?? ''))
  expect(jobs().map(({ name }) => name)).toEqual(['two.pdf'])
  await waitFor(() => expect(jobs()).toEqual([]))
  expect(backend.added.map(({ name }) => name)).toEqual(['two.pdf'])
})

test.each([
  ['empty', 0, 'This file is empty.'],
  ['too large', 25 * megabyte + 1, 'This file is larger than 25 MB.'],
])('a file that is %s is told so before anything is sent', async (_, size, problem) => {
  const { jobs, add } = setUp()
  add(fileOf(size), fileOf(5, 'fine.pdf'))
  await waitFor(() => expect(jobs()).toMatchObject([{ problem, canRetry: false }]))
  expect(backend.added.map(({ name }) => name)).toEqual(['fine.pdf'])
  act(() => stopUpload(jobs()[0]?.id ?? ''))
})

test('a full account is told in the words of the database', async () => {
  const { jobs, add } = setUp()
  backend.next.start_upload = 'There is no room for this file: 2048 MB of 2048 MB are used.'
  add(fileOf(5))
  await waitFor(() => expect(jobs()[0]?.problem).toMatch(/^There is no room for this file/))
  act(() => stopUpload(jobs()[0]?.id ?? ''))
})
