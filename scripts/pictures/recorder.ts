import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'

type Frame = { file: string; at: number }

/** A recording of what a page shows, frame by frame, as it changes. */
export type Recording = {
  /** Seconds since it began. */
  now: () => number
  /** Ends it and answers a list of its frames, as ffmpeg's concat reads it. */
  stop: () => Promise<string>
  /** Takes the frames off the disk. */
  discard: () => void
}

export async function record(page: Page): Promise<Recording> {
  const folder = mkdtempSync(join(tmpdir(), 'solo-crm-frames-'))
  const frames: Frame[] = []
  const session = await page.context().newCDPSession(page)
  const began = Date.now()
  const now = () => (Date.now() - began) / 1000
  session.on('Page.screencastFrame', ({ data, sessionId }) => {
    const file = join(folder, `${String(frames.length).padStart(5, '0')}.jpg`)
    frames.push({ file, at: now() })
    writeFileSync(file, Buffer.from(data, 'base64'))
    // The next one comes once this one is known to have arrived; at the end nobody waits for it.
    session.send('Page.screencastFrameAck', { sessionId }).catch(() => {})
  })
  await session.send('Page.startScreencast', { format: 'jpeg', quality: 95 })
  return {
    now,
    async stop() {
      const end = now()
      await session.send('Page.stopScreencast')
      const lines = frames.flatMap(({ file, at }, place) => {
        const next = frames[place + 1]?.at ?? end
        return [`file '${file}'`, `duration ${Math.max(next - at, 0.001).toFixed(3)}`]
      })
      const list = join(folder, 'frames.txt')
      writeFileSync(list, `${lines.join('\n')}\n`)
      return list
    },
    discard: () => rmSync(folder, { recursive: true, force: true }),
  }
}
