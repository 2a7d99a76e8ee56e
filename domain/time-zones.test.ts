import { expect, test } from 'vitest'
import { isKnownZone } from './dates.ts'
import { foundZones, zoneChoices, zoneOfToday } from './time-zones.ts'

test('each zone is there once, under its name of today', () => {
  const zones = ['Asia/Calcutta', 'Europe/Kiev', 'Asia/Kolkata', 'America/New_York', 'UTC']
  expect(zoneChoices(zones)).toEqual([
    { value: 'America/New_York', label: 'America/New York' },
    { value: 'Asia/Kolkata', label: 'Asia/Kolkata' },
    { value: 'Europe/Kyiv', label: 'Europe/Kyiv' },
    { value: 'UTC', label: 'UTC' },
  ])
  const all = zoneChoices(Intl.supportedValuesOf('timeZone')).map(({ value }) => value)
  for (const zone of ['Asia/Kolkata', 'Europe/Kyiv', 'Asia/Yangon', 'America/Nuuk']) {
    expect(all).toContain(zone)
  }
  expect(all.filter((zone) => !isKnownZone(zone) || zoneOfToday(zone) !== zone)).toEqual([])
})

test.each([
  ['Asia/Kolkata', 'kolkata', true],
  ['Asia/Kolkata', 'calcutta', true],
  ['Europe/Kyiv', ' KIEV ', true],
  ['Europe/Kyiv', 'Kyiv', true],
  ['America/New_York', 'new  york', true],
  ['America/New_York', 'us/east', true],
  ['Europe/Berlin', 'kiev', false],
])('%s is found by %j: %s', (zone, search, isFound) => {
  expect(foundZones([{ value: zone }], search)).toHaveLength(isFound ? 1 : 0)
})

test('what begins with the typed text comes first', () => {
  const zones = ['Antarctica/Vostok', 'Asia/Tokyo', 'Europe/Stockholm'].map((value) => ({ value }))
  expect(foundZones(zones, 'tok').map(({ value }) => value)).toEqual([
    'Asia/Tokyo',
    'Antarctica/Vostok',
  ])
})

test('a name that is not known here is not used', () => {
  expect(isKnownZone('Atlantis/Capital')).toBe(false)
  expect(zoneOfToday('Europe/Berlin')).toBe('Europe/Berlin')
})
