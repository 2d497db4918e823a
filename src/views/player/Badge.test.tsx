// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { activate, i18n } from '../../i18n/i18n.ts'
import type { MediaState } from '../../machines/player/player.selectors.ts'
import { Badge } from './Badge.tsx'

const at = Date.UTC(2026, 10, 21, 14, 5, 3)

beforeEach(async () => {
  await activate('en')
  vi.useFakeTimers({
    toFake: ['requestAnimationFrame', 'cancelAnimationFrame', 'setInterval', 'clearInterval', 'performance'],
  })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function open({ isFast, mediaState = 'playing' }: { isFast: boolean; mediaState?: MediaState }) {
  const playing = { at }
  const { container } = render(
    <I18nProvider i18n={i18n}>
      <Badge
        mode="archive"
        zone="UTC"
        mediaState={mediaState}
        clock={() => playing.at}
        serverNow={Date.now}
        isFast={isFast}
        note={null}
      />
    </I18nProvider>,
  )
  const after = (ms: number) => {
    playing.at += ms
    vi.advanceTimersByTime(ms)
    return container.querySelector('time')?.dateTime
  }
  const marks = () => Object.keys(container.querySelector('p')?.dataset ?? {})
  return { after, marks }
}

test('the playing moment is written anew in every frame of the screen, less than 20 ms apart', () => {
  const { after } = open({ isFast: false })
  expect([after(16), after(16), after(16)]).toEqual([
    '2026-11-21T14:05:03.016Z',
    '2026-11-21T14:05:03.032Z',
    '2026-11-21T14:05:03.048Z',
  ])
})

test('between the frames too where pictures come fast', () => {
  const { after } = open({ isFast: true })
  expect([after(4), after(4), after(4)]).toEqual([
    '2026-11-21T14:05:03.004Z',
    '2026-11-21T14:05:03.008Z',
    '2026-11-21T14:05:03.012Z',
  ])
})

test.each([
  ['playing', ['mode', 'running']],
  ['resting', ['mode', 'paused']],
  ['stalled', ['mode']],
] as const)(
  'while the picture is %s it has the marks by which it leaves the picture, or stays',
  (mediaState, marks) => {
    expect(open({ isFast: false, mediaState }).marks()).toEqual(marks)
  },
)
