import type { FileSession } from './file-session.ts'

type Waiting = { resolve: (answer: never) => void; reject: (error: Error) => void }

const gaveUp =
  'The browser could not work through this file. Nothing was saved. Try again, or split it into several files.'

/** A file session in a thread of its own. */
export function openReader(): FileSession & { close: () => void } {
  const worker = new Worker(new URL('./file.worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, Waiting>()
  let calls = 0
  /** Why nobody will be answered any more. */
  let end: Error | null = null
  function endWith(words: string): void {
    end = new Error(words)
    for (const { reject } of waiting.values()) reject(end)
    waiting.clear()
  }
  worker.onmessage = ({ data: { id, answer, problem } }) => {
    const call = waiting.get(id)
    waiting.delete(id)
    // What is wrong with a file is an answer. This was thrown, most likely for want of memory, and is in
    // nobody's words.
    if (problem) call?.reject(new Error(gaveUp, { cause: problem }))
    // Each answer is that of the function which was called under this id.
    else call?.resolve(answer as never)
  }
  worker.onerror = () =>
    endWith('What reads files could not be loaded. Reload the page and try again.')
  function call<Name extends keyof FileSession>(name: Name): FileSession[Name] {
    const send = (...args: unknown[]) =>
      new Promise<never>((resolve, reject) => {
        if (end) throw end
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
    close() {
      worker.terminate()
      endWith('The file has been closed.')
    },
  }
}
