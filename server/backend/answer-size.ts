import type pg from 'pg'

/** How many bytes the database may send for one request: more than any request of the app needs. */
export const mostAnswerBytes = 64 * 2 ** 20

/** The answer would have been longer. */
export class AnswerTooLong extends Error {
  override name = 'AnswerTooLong'
  readonly code = '53400'
}

/**
 * Ends a connection over which the server sends more than that, before all of it is in memory. Only the
 * connection counts the bytes: the driver tells of an answer when it is complete.
 */
export function limitAnswer(client: pg.PoolClient): () => void {
  const { stream } = client.connection
  let received = 0
  function count(chunk: Buffer) {
    received += chunk.length
    if (received <= mostAnswerBytes) return
    const error = new AnswerTooLong()
    // The caller ends its transaction now, and must not get an error that there is no connection for that.
    Object.assign(client, { query: () => Promise.reject(error) })
    stream.destroy(error)
  }
  stream.on('data', count)
  return () => stream.off('data', count)
}
