import { expect, test } from 'vitest'
import { matchingZones, zoneOptions } from './zone-options.ts'
import { utcText, zoneText } from './zone-text.ts'

const winter = Date.parse('2026-01-15T12:00:00Z')
const known = { browser: 'Europe/Berlin', server: 'America/New_York' }
const options = zoneOptions(known, winter, 'en')
const found = (search: string) => matchingZones(options, search).map(({ choice }) => choice)

test('the browser’s zone and the server’s come first, then every zone once', () => {
  expect(options.slice(0, 2)).toEqual([
    { choice: 'browser', zone: 'Europe/Berlin', offset: 3_600_000, name: 'Central European Standard Time' },
    { choice: 'server', zone: 'America/New_York', offset: -18_000_000, name: 'Eastern Standard Time' },
  ])
  const names = options.slice(2).map(({ choice }) => choice)
  expect(names).toEqual([...new Set(names)].sort())
  expect(names).toContain('UTC')
  expect(zoneOptions({ ...known, server: null }, winter, 'en').map(({ choice }) => choice)).not.toContain('server')
})

test('zones are found by name, by what their time is called, and by offset', () => {
  expect(found('new york')).toEqual(['server', 'America/New_York'])
  expect(found('America/New_Y')).toEqual(['server', 'America/New_York'])
  expect(found('utc+05:45')).toEqual(['Asia/Kathmandu'])
  expect([found('kolkata'), found('calcutta'), found('kyiv')]).toEqual([['Asia/Kolkata'], [], ['Europe/Kyiv']])
  expect(found('−03:30')).toEqual(['America/St_Johns'])
  expect(found('central european berlin')).toEqual(['browser', 'Europe/Berlin'])
  expect(found('   ')).toHaveLength(options.length)
  expect(found('atlantis')).toEqual([])
})

test('offsets are of the moment', () => {
  const summer = zoneOptions(known, Date.parse('2026-07-15T12:00:00Z'), 'ru')
  expect(summer[0]).toEqual({
    choice: 'browser',
    zone: 'Europe/Berlin',
    offset: 7_200_000,
    name: 'Центральная Европа, летнее время',
  })
  expect([utcText(0), utcText(7_200_000), utcText(-12_600_000), zoneText('America/New_York')]).toEqual([
    'UTC',
    'UTC+02:00',
    'UTC−03:30',
    'America/New York',
  ])
})
