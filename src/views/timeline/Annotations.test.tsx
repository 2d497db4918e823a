// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createActor, SimulatedClock } from 'xstate'
import { i18n } from '../../i18n/i18n.ts'
import { timelineMachine } from '../../machines/timeline/timeline.machine.ts'
import { supplement } from '../../../tests/views/supplement.ts'
import { bandWords } from '../../../tests/views/timeline.ts'
import { Annotations } from './Annotations.tsx'

const now = Date.UTC(2026, 10, 21, 12)
const period = { from: now - 60_000, to: now }

beforeEach(() => {
  supplement()
  i18n.loadAndActivate({ locale: 'en', messages: {} })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** The list of a player that has just been opened. */
function show() {
  const actor = createActor(timelineMachine, {
    input: { streamId: 'gate', rangesMaxSeconds: 3600, now, zone: 'UTC', period },
    clock: new SimulatedClock(),
  }).start()
  const content = ['line', 'smoke'].map((type) => ({ type, isEvent: false, from: now - 5000, to: now - 5000 }))
  actor.send({
    type: 'chunks.changed',
    kind: 'annotations',
    chunks: [{ ...period, content, loadedAt: now, isStale: false }],
    apiError: null,
    abandonedAt: null,
  })
  return render(
    <I18nProvider i18n={i18n}>
      <Annotations actor={actor} clock={() => now} words={bandWords} />
    </I18nProvider>,
  )
}

test('the types that the list shows are those of the player before', () => {
  const { unmount } = show()
  fireEvent.click(screen.getByRole('button', { name: 'line1' }))
  unmount()
  show()
  const pressed = screen.getAllByRole('button', { pressed: true }).map(({ textContent }) => textContent)
  expect([pressed, screen.getByRole('status').textContent]).toEqual([['line1'], '1 of 2'])
})
