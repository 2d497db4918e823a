// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createActor, SimulatedClock } from 'xstate'
import type { TimeRange } from '../../api/contract/time-range.ts'
import { i18n } from '../../i18n/i18n.ts'
import { timelineListsMachine, type TimelineListsRef } from '../../machines/timeline/timeline-lists.machine.ts'
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
function show(lists: TimelineListsRef, onSelect?: (range: TimeRange) => void) {
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
      <Annotations actor={actor} lists={lists} clock={() => now} words={bandWords} onSelect={onSelect} />
    </I18nProvider>,
  )
}

test('the list shows the chosen types, also when it is opened again', () => {
  const lists = createActor(timelineListsMachine, { input: { isOpen: true, list: 'annotations', types: [] } }).start()
  const { unmount } = show(lists)
  fireEvent.click(screen.getByRole('button', { name: 'line1' }))
  unmount()
  show(lists)
  const pressed = screen.getAllByRole('button', { pressed: true }).map(({ textContent }) => textContent)
  expect([pressed, screen.getByRole('status').textContent]).toEqual([['line1'], '1 of 2'])
})

test('the recording of the nearest annotation is selected, fifteen seconds before it and after', () => {
  const lists = createActor(timelineListsMachine, { input: { isOpen: true, list: 'annotations', types: [] } }).start()
  const onSelect = vi.fn<(range: TimeRange) => void>()
  show(lists, onSelect)
  fireEvent.click(screen.getByRole('button', { name: 'Select the recording of the nearest annotation' }))
  expect(onSelect).toHaveBeenCalledExactlyOnceWith({ from: now - 20_000, to: now })
})
