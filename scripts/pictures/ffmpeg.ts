import { spawnSync } from 'node:child_process'

/** Runs ffmpeg (on Debian: `apt-get install ffmpeg`). */
export function ffmpeg(...args: string[]): void {
  const { error, status, stderr } = spawnSync('ffmpeg', ['-hide_banner', '-y', ...args], {
    encoding: 'utf8',
  })
  if (error) throw new Error('ffmpeg is not installed: apt-get install ffmpeg', { cause: error })
  if (status !== 0) throw new Error(`ffmpeg failed: ${stderr.slice(-2000)}`)
}
