import { expect, test } from 'vitest'
import { settingsOf, streamOf } from '../../../tests/fixtures/replies.ts'
import { exportCamerasOf, isAvailable } from './tile-slots.ts'

test('a stream plays that runs or starts, or whose status the server omits', () => {
  const statuses = ['running', 'pending', '', 'paused', 'failed', 'stopped']
  expect(statuses.filter((status) => isAvailable(streamOf({ status }), settingsOf()))).toEqual([
    'running',
    'pending',
    '',
  ])
  expect(isAvailable(undefined, settingsOf())).toBe(false)
})

test('a camera may be exported whose archive may be viewed and downloaded', () => {
  const metaOf = (meta: object) => ({ ...streamOf({}).meta, canAdmin: false, canViewArchive: true, ...meta })
  const streams = [
    streamOf({ uid: 'gate', meta: metaOf({}) }),
    streamOf({ uid: 'hall', meta: metaOf({ canDownload: false }) }),
    streamOf({ uid: 'yard', meta: metaOf({ canViewArchive: false }) }),
  ]
  const cells = streams.map(({ uid }, x) => ({ streamUid: uid, x, y: 0, w: 1, h: 1 }))
  const mosaic = { id: 'm', name: '', columns: 3, rows: 1, cells, streams, meta: { canAdmin: true } }
  expect(exportCamerasOf(mosaic).map(({ uid, mayExport }) => [uid, mayExport])).toEqual([
    ['gate', true],
    ['hall', false],
    ['yard', false],
  ])
})
