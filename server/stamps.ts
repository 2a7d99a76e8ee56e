import { timingSafeEqual } from 'node:crypto'
import type { StampAge } from '#domain/lead-doubts.ts'

type Sign = (text: string) => string

/** When a page was made, in a form that only this server can write. */
export function writeStamp(sign: Sign, form: string, now: number): string {
  const time = now.toString(36)
  return `${time}.${sign(`${form} ${time}`)}`
}

/** How old the page with this stamp is; null without a stamp, false with one that is not ours for this form. */
export function stampAge(sign: Sign, form: string, stamp: string | null, now: number): StampAge {
  if (stamp === null) return null
  const [, time = '', proof = ''] = /^([0-9a-z]{1,12})\.([\w-]{43})$/.exec(stamp) ?? []
  const expected = Buffer.from(sign(`${form} ${time}`))
  const given = Buffer.from(proof)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
  return now - Number.parseInt(time, 36)
}
