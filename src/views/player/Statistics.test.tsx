// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { Stream } from '../../api/contract/stream.ts'
import { openArchive, stream } from '../../../tests/machines/player.ts'
import { activate, loadMessages, i18n } from '../../i18n/i18n.ts'
import { Statistics } from './Statistics.tsx'

afterEach(cleanup)

interface Shown {
  language: string
  framesPerSecond?: number | null
  fields?: Partial<Stream>
  refused?: string
}

/** The rows of a player whose stream has these fields; `refused`: the codec that the browser can't play. */
async function rowsOf({ language, framesPerSecond = 25, fields = {}, refused }: Shown) {
  await activate(language)
  await loadMessages('pages')
  const stats = {
    codecs: 'avc1.42c00d',
    width: 640,
    height: 360,
    framesPerSecond,
    bitsPerSecond: 0,
    droppedFrames: 0,
    decodedFrames: 0,
    lastSegment: null,
    bufferedSeconds: 0,
    latencySeconds: null,
    lastFailure: null,
  }
  const { player, media } = openArchive()
  player.send({ type: 'stream.reported', stream: { ...stream, ...fields } })
  if (refused !== undefined) media.send({ type: 'engine.failed', failure: 'codec', at: null, codec: refused })
  const { container } = render(
    <I18nProvider i18n={i18n}>
      <Statistics
        player={player}
        media={media}
        controller={{ positionAt: () => null, buffered: () => [], stats: () => stats }}
        onClose={() => undefined}
      />
    </I18nProvider>,
  )
  player.stop()
  const textOf = (row: Element, name: string) => row.querySelector(name)?.textContent ?? ''
  const rows = [...container.querySelectorAll('dl > div')]
  return Object.fromEntries(rows.map((row) => [textOf(row, 'dt'), textOf(row, 'dd')] as const))
}

test.each([
  ['en', 16.916732085401854, '640×360, 16.92 fps'],
  ['ru', 16.916732085401854, '640×360, 16,92 к/с'],
  ['en', 25, '640×360, 25 fps'],
  ['en', null, '640×360'],
])('in %s %s frames a second are written %s', async (language, framesPerSecond, words) => {
  const rows = await rowsOf({ language, framesPerSecond })
  expect(rows[language === 'ru' ? 'Разрешение' : 'Resolution']).toBe(words)
})

const masks = [1, 2].map((place) => ({ x: place / 10, y: 0.2, w: 0.1, h: 0.4 }))
const renditions = ['main', 'compatible']

test.each([
  ['en', 'Privacy masks', {}, undefined],
  ['en', 'Privacy masks', { masks, renditions }, '2, over the picture'],
  ['ru', 'Маски приватности', { masks, renditions }, '2, поверх изображения'],
])('in %s the row %s of a stream with %j says %s', async (language, name, fields, words) => {
  expect((await rowsOf({ language, fields }))[name]).toBe(words)
})

test('masks of transcoded video are burned in', async () => {
  const rows = await rowsOf({ language: 'en', fields: { masks, renditions }, refused: 'hvc1.1.6.L93.B0' })
  expect(rows['Privacy masks']).toBe('2, burned in')
})
