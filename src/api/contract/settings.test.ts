import { expect, test } from 'vitest'
import { Configuration, Settings } from './settings.ts'

test('absent settings have the defaults of docs/behaviour.md §15', () => {
  const { archiveDownloadMaxSeconds, playlistMaxSeconds, rangesMaxSeconds, archiveMaxDepthHours, tunnelLocations } =
    Settings.parse({})
  expect({
    archiveDownloadMaxSeconds,
    playlistMaxSeconds,
    rangesMaxSeconds,
    archiveMaxDepthHours,
    tunnelLocations,
  }).toEqual({
    archiveDownloadMaxSeconds: 3600,
    playlistMaxSeconds: 604_800,
    rangesMaxSeconds: 10_800,
    archiveMaxDepthHours: -1,
    tunnelLocations: ['default'],
  })
})

test('limits of zero or less, and an empty list of tunnel locations, become the defaults', () => {
  const empty = { archiveDownloadMaxSeconds: 0, playlistMaxSeconds: -1, rangesMaxSeconds: 0, tunnelLocations: [] }
  expect(Settings.parse(empty)).toEqual(Settings.parse({}))
})

test('fields beyond the specification are ignored if another server uses their names otherwise', () => {
  expect(Settings.parse({ timezone: 180, oidcName: {} })).toEqual(Settings.parse({}))
})

test('settings of the server replace the defaults', () => {
  const limits = {
    archiveDownloadMaxSeconds: 60,
    playlistMaxSeconds: 61,
    rangesMaxSeconds: 62,
    archiveMaxDepthHours: 63,
    tunnelLocations: ['eu', 'us'],
  }
  expect(Settings.parse(limits)).toMatchObject(limits)
})

test('a server without an address leaves the rest of the configuration as it is', () => {
  const { appTitle, servers } = Configuration.parse({ appTitle: 'Yard', servers: [{ name: 'North' }] })
  expect([appTitle, servers]).toEqual(['Yard', [{ name: 'North', url: '' }]])
})
