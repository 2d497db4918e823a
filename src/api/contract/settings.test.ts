import { expect, test } from 'vitest'
import { Settings } from './settings.ts'

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
