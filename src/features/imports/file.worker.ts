import { createFileSession } from './file-session.ts'

/** Fifty megabytes take seconds to read; here nobody waits for them. */
const session = createFileSession()

self.onmessage = async ({ data: { id, name, args } }: MessageEvent) => {
  // The page calls by the names of the session: see file-reader.ts.
  const work = session[name as keyof typeof session] as (...all: unknown[]) => Promise<unknown>
  try {
    self.postMessage({ id, answer: await work(...args) })
  } catch (error) {
    self.postMessage({ id, problem: String(error) })
  }
}
