import { type ChildProcess, spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'

type Ended = { code: number | null; out: string; err: string }
type RunningProcess = { child: ChildProcess; ready: Promise<number>; ended: Promise<Ended> }

/** Runs a built server as a process of its own, with no settings but these; it never outlives the test. */
export function runServer(script: string, env: Record<string, string>): RunningProcess {
  const child = spawn(process.execPath, [script], { env: { PATH: process.env.PATH, ...env } })
  onTestFinished(() => void child.kill('SIGKILL'))
  let out = ''
  let err = ''
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, out, err }))
  })
  const ready = new Promise<number>((resolve, reject) => {
    child.stdout.on('data', (data) => {
      out += data
      const port = /^Solo CRM is ready at http:\/\/127\.0\.0\.1:(\d+)\n/.exec(out)?.[1]
      if (port) resolve(Number(port))
    })
    ended.then(() => reject(new Error(`The server ended before it was ready: ${err}`)))
  })
  // Whoever only waits for the end need not care that it was never ready.
  ready.catch(() => {})
  child.stderr.on('data', (data) => {
    err += data
  })
  return { child, ready, ended }
}
