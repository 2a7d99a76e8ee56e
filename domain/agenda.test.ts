import { describe, expect, it } from 'vitest'
import { nextAgenda } from './agenda.ts'

const longAgo = '2020-01-01T00:00:00Z'

/** The day that is next, and when, at this moment. */
function next(now: string, rule: Partial<Parameters<typeof nextAgenda>[0]> = {}) {
  const usual = { hour: 7, timeZone: 'Europe/Berlin', since: longAgo, lastDay: null }
  const { day, at, until } = nextAgenda({ ...usual, ...rule }, Date.parse(now))
  const text = (moment: number) => new Date(moment).toISOString().slice(0, 16)
  return { day, at: text(at), until: text(until) }
}

describe('nextAgenda', () => {
  it('is that of today until its hour, on the clock of the time zone', () => {
    expect(next('2026-11-18T05:00:00Z')).toMatchObject({
      day: '2026-11-18',
      at: '2026-11-18T06:00',
    })
    const tokyo = { timeZone: 'Asia/Tokyo' }
    expect(next('2026-11-18T20:00:00Z', tokyo)).toMatchObject({
      day: '2026-11-19',
      at: '2026-11-18T22:00',
    })
  })

  it('is caught up with for eight hours of the same day, and never at night', () => {
    const late = { day: '2026-11-18', at: '2026-11-18T06:00', until: '2026-11-18T14:00' }
    expect(next('2026-11-18T13:59:59Z')).toEqual(late)
    expect(next('2026-11-18T14:00:00Z').day).toBe('2026-11-19')
    expect(next('2026-11-18T20:00:00Z', { hour: 20 }).until).toBe('2026-11-18T23:00')
    expect(next('2026-11-18T23:00:00Z', { hour: 20 }).day).toBe('2026-11-19')
  })

  it('is that of the next day once a day is done with, however the hour is changed', () => {
    const done = { lastDay: '2026-11-18' }
    expect(next('2026-11-18T06:00:01Z', done).at).toBe('2026-11-19T06:00')
    expect(next('2026-11-18T06:00:01Z', { ...done, hour: 9 }).at).toBe('2026-11-19T08:00')
    // It was sent in Auckland, where the 19th has begun; in Honolulu it is still the 18th.
    const west = { lastDay: '2026-11-19', timeZone: 'Pacific/Honolulu' }
    expect(next('2026-11-18T19:00:00Z', west).day).toBe('2026-11-20')
  })

  it('begins with the first hour after it was turned on', () => {
    const since = '2026-11-18T08:00:00Z'
    expect(next('2026-11-18T08:00:01Z', { since }).at).toBe('2026-11-19T06:00')
    expect(next('2026-11-18T08:00:01Z', { since, hour: 10 }).at).toBe('2026-11-18T09:00')
  })

  it.each([
    // The clock goes forward at two and back at three.
    ['before', '2026-03-28T20:00:00Z', 7, '2026-03-29T05:00'],
    ['a skipped hour', '2026-03-28T20:00:00Z', 2, '2026-03-29T01:00'],
    ['after', '2026-10-24T20:00:00Z', 7, '2026-10-25T06:00'],
    ['the first of an hour that occurs twice', '2026-10-24T20:00:00Z', 2, '2026-10-25T00:00'],
  ])('follows the change of the clock: %s', (_what, now, hour, at) => {
    expect(next(now, { hour }).at).toBe(at)
  })

  it('passes over a midnight and a day that do not exist', () => {
    const santiago = { timeZone: 'America/Santiago', hour: 0 }
    expect(next('2026-09-05T12:00:00Z', santiago).at).toBe('2026-09-06T04:00')
    const apia = { timeZone: 'Pacific/Apia', since: '2011-01-01T00:00:00Z' }
    expect(next('2011-12-30T09:00:00Z', apia).day).toBe('2011-12-31')
  })
})
