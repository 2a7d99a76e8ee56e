import type { FileSession } from './file-session.ts'

type Waiting = { resolve: (answer: never) => void; reject: (error: Error) => void }

/** A file session in a thread of its own. */
export function openReader(): FileSession & { close: () => void } {
  const worker = new Worker(new URL('./file.worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, Waiting>()
  let calls = 0
  worker.onmessage = ({ data: { id, answer, problem } }) => {
    const call = waiting.get(id)
    waiting.delete(id)
    // Each answer is that of the function which was called under this id.
    if (problem) call?.reject(new Error(problem))
    else call?.resolve(answer as never)
  }
  worker.onerror = () => {
    for (const { reject } of waiting.values()) {
      reject(new Error('What reads files could not be loaded. Reload the page and try again.'))
    }
    waiting.clear()
  }
  function call<Name extends keyof FileSession>(name: Name): FileSession[Name] {
    const send = (...args: unknown[]) =>
      new Promise<never>((resolve, reject) => {
        calls += 1
        waiting.set(calls, { resolve, reject })
        worker.postMessage({ id: calls, name, args })
      })
    // It takes and answers what the session's function does: the thread between them changes neither.
    return send as FileSession[Name]
  }
  return {
    open: call('open'),
    reread: call('reread'),
    understand: call('understand'),
    part: call('part'),
    original: call('original'),
    close: () => worker.terminate(),
  }
}
