import type { FileSession } from './file-session.ts'

type Waiting = { resolve: (answer: never) => void; reject: (error: Error) => void }

const gaveUp =
  'Your browser couldn’t process this file. Nothing was saved. Try again, or split it into smaller files.'

/** A file session in a worker. */
export function openReader(): FileSession & { close: () => void } {
  const worker = new Worker(new URL('./file.worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, Waiting>()
  let calls = 0
  /** Set once the worker has failed. */
  let end: Error | null = null
  function endWith(words: string): void {
    end = new Error(words)
    for (const { reject } of waiting.values()) reject(end)
    waiting.clear()
  }
  worker.onmessage = ({ data: { id, answer, problem } }) => {
    const call = waiting.get(id)
    waiting.delete(id)
    // Problems of a file come back as answers. A thrown error means the worker broke, most likely for lack of
    // memory, and its message is not meant for users.
    if (problem) call?.reject(new Error(gaveUp, { cause: problem }))
    // The id belongs to this very call, so the type of the answer is right.
    else call?.resolve(answer as never)
  }
  worker.onerror = () =>
    endWith('The file reader could not be loaded. Reload the page and try again.')
  function call<Name extends keyof FileSession>(name: Name): FileSession[Name] {
    const send = (...args: unknown[]) =>
      new Promise<never>((resolve, reject) => {
        if (end) throw end
        calls += 1
        waiting.set(calls, { resolve, reject })
        worker.postMessage({ id: calls, name, args })
      })
    // The worker calls the session's function of this name, so arguments and answer have its types.
    return send as FileSession[Name]
  }
  return {
    open: call('open'),
    reread: call('reread'),
    interpretRows: call('interpretRows'),
    part: call('part'),
    original: call('original'),
    close() {
      worker.terminate()
      endWith('The file has been closed.')
    },
  }
}
