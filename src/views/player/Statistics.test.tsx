// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { createActor } from 'xstate'
import { activate, loadMessages, i18n } from '../../i18n/i18n.ts'
import { mediaMachine } from '../../machines/player/media.machine.ts'
import { Statistics } from './Statistics.tsx'

afterEach(cleanup)

test.each([
  ['en', 16.916732085401854, '640×360, 16.92 fps'],
  ['ru', 16.916732085401854, '640×360, 16,92 к/с'],
  ['en', 25, '640×360, 25 fps'],
  ['en', null, '640×360'],
])('in %s %s frames a second are written %s', async (language, framesPerSecond, words) => {
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
  const media = createActor(mediaMachine, { input: { sound: { volume: 1, isMuted: false }, rate: 1 } }).start()
  const { container } = render(
    <I18nProvider i18n={i18n}>
      <Statistics
        media={media}
        controller={{ positionAt: () => null, buffered: () => [], stats: () => stats }}
        onClose={() => undefined}
      />
    </I18nProvider>,
  )
  const rows = [...container.querySelectorAll('dd')].map(({ textContent }) => textContent)
  expect(rows[2]).toBe(words)
})
