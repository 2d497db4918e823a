// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { act, cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { activate, loadMessages, i18n } from '../../i18n/i18n.ts'
import { useDelay } from './use-delay.ts'

const at = Date.UTC(2026, 10, 21, 14, 5, 3)

beforeEach(() => void vi.useFakeTimers({ now: at, toFake: ['Date', 'setInterval', 'clearInterval'] }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

interface DelayProps {
  clock: () => number | null
  serverNow?: () => number
  isLive: boolean
}

function Delay({ clock, serverNow = Date.now, isLive }: DelayProps) {
  return <p>{useDelay(clock, serverNow, isLive)}</p>
}

test.each([
  ['en', true, ['', '', '6 s behind', '1 min 30 s behind', '']],
  ['ru', true, ['', '', 'отставание 6 с', 'отставание 1 мин 30 с', '']],
  ['en', false, ['', '', '', '', '']],
] as const)('in %s a live picture (%s) says how far it is behind, once that is more than usual', async (...given) => {
  const [language, isLive, words] = given
  await activate(language)
  await loadMessages('pages')
  const shown: { at: number | null } = { at: null }
  const clock = () => shown.at
  const { container } = render(
    <I18nProvider i18n={i18n}>
      <Delay clock={clock} isLive={isLive} />
    </I18nProvider>,
  )
  const behind = (seconds: number) => {
    shown.at = Date.now() + 1000 - seconds * 1000
    act(() => void vi.advanceTimersByTime(1000))
    return container.textContent
  }
  expect([container.textContent, behind(4.9), behind(6.4), behind(90.9), behind(2)]).toEqual(words)
})

test.each([
  ['10 minutes ahead, and a picture 2 s old', -600_000, 2000, ''],
  ['30 s slow, and a picture 20 s old', 30_000, 20_000, '20 s behind'],
])("with a clock that is %s, the server's clock counts", async (_name, serverAheadMs, delayMs, words) => {
  await activate('en')
  await loadMessages('pages')
  const serverNow = () => Date.now() + serverAheadMs
  const clock = () => serverNow() - delayMs
  const { container } = render(
    <I18nProvider i18n={i18n}>
      <Delay clock={clock} serverNow={serverNow} isLive />
    </I18nProvider>,
  )
  expect(container.textContent).toBe(words)
})
