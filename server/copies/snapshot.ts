import { randomBytes } from 'node:crypto'
import { constants, cp, mkdir, readdir, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'
import { z } from 'zod'
import { lastMigration } from '../backend/migrations.ts'
import { describeError } from '../log.ts'
import { StartError } from '../start-error.ts'

const answerSchema = z.union([
  z.object({ database: z.string(), lastMigration: z.string() }),
  z.object({ problem: z.string() }),
])
type Answer = z.infer<typeof answerSchema>

const request = 'copy\n'
const folderName = /^copying-[0-9a-f]+$/

/**
 * Serves the backup command, which connects to the socket of the running server: copies the files of the database
 * between two requests, and removes them when the client disconnects.
 */
export function serveSnapshots(socket: Socket, database: OpenDatabase | null): void {
  socket.once('data', async (data) => {
    if (data.toString() !== request) return socket.destroy()
    if (!database) return answer(socket, { problem: 'It is just starting: try again in a moment.' })
    const folder = join(database.dataDir, `copying-${randomBytes(6).toString('hex')}`)
    const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    try {
      answer(socket, { database: folder, ...(await takeSnapshot(database, folder)) })
      await gone
    } catch (error) {
      answer(socket, { problem: `Its files could not be copied (${describeError(error)}).` })
    } finally {
      await rm(folder, { recursive: true, force: true }).catch(() => {})
    }
  })
}

/** An open database and the data folder that it lies in. */
export type OpenDatabase = { connection: Connection; dataDir: string }

/** All requests wait meanwhile, so no half-written file is copied. */
function takeSnapshot({ connection, dataDir }: OpenDatabase, folder: string) {
  return connection.kysely.connection().execute(async (db) => {
    await sql`checkpoint`.execute(db)
    await mkdir(folder, { mode: 0o700 })
    const mode = constants.COPYFILE_FICLONE
    await cp(join(dataDir, 'database'), folder, { recursive: true, mode })
    return { lastMigration: (await lastMigration(db)) ?? '' }
  })
}

function answer(socket: Socket, words: Answer): void {
  socket.write(`${JSON.stringify(words)}\n`)
}

/** Removes what a crash during a snapshot left behind. */
export async function removeSnapshots(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (folderName.test(name)) await rm(join(dataDir, name), { recursive: true, force: true })
  }
}

/** Asks the running server for a snapshot, which exists until the socket is closed. */
export async function requestSnapshot(
  socket: Socket,
): Promise<Exclude<Answer, { problem: string }>> {
  socket.write(request)
  let text = ''
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += chunk
    if (text.endsWith('\n')) break
  }
  if (text === '') {
    throw new StartError('The Solo CRM that is running cannot be copied: stop it, and try again.')
  }
  const answered = answerSchema.parse(JSON.parse(text))
  if ('problem' in answered) {
    throw new StartError(`The Solo CRM that is running made no copy. ${answered.problem}`)
  }
  return answered
}
