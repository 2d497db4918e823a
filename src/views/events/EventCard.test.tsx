// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createActor } from 'xstate'
import type { FoundEvent } from '../../api/contract/events.ts'
import { i18n } from '../../i18n/i18n.ts'
import { previewsMachine } from '../../machines/streams/previews.machine.ts'
import { EventCard } from './EventCard.tsx'

const time = Date.UTC(2026, 10, 21, 14, 5, 3)

beforeEach(() => {
  i18n.loadAndActivate({ locale: 'en', messages: {} })
  vi.useFakeTimers({ now: time + 70_000, toFake: ['Date'] })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const show = (change: Partial<FoundEvent> = {}) =>
  render(
    <I18nProvider i18n={i18n}>
      <EventCard
        event={{ streamId: 'gate', time, type: 'event', label: 'rain', ...change }}
        name="Gate"
        previews={createActor(previewsMachine).start()}
        zone="Asia/Tokyo"
      />
    </I18nProvider>,
  )

const marksOf = (element: HTMLElement) => {
  const url = new URL(element.getAttribute('href') ?? '', 'https://console.example')
  return [url.pathname, ...['at', 'in', 'out'].map((name) => url.searchParams.get(name))]
}

test('a second link selects the recording of the event, fifteen seconds before and after it', () => {
  const { getByRole } = show({ timeEnd: time + 30_000 })
  expect(marksOf(getByRole('link', { name: 'Select the recording: rain, Gate' }))).toEqual([
    '/stream/gate/view',
    '2026-11-21T14:05:03.000Z',
    '2026-11-21T14:04:48.000Z',
    '2026-11-21T14:05:48.000Z',
  ])
})

test('the selection of an event that has just ended is cut at now', () => {
  vi.setSystemTime(time + 5000)
  const { getByRole } = show()
  expect(marksOf(getByRole('link', { name: 'Select the recording: rain, Gate' })).at(-1)).toBe(
    '2026-11-21T14:05:08.000Z',
  )
})

test.each([fireEvent.pointerDown, fireEvent.keyDown])('now is the moment of the press', (press) => {
  vi.setSystemTime(time + 5000)
  const { getByRole } = show()
  const link = getByRole('link', { name: 'Select the recording: rain, Gate' })
  vi.setSystemTime(time + 9000)
  press(link)
  expect(marksOf(link).at(-1)).toBe('2026-11-21T14:05:12.000Z')
})

test('the time is in the time zone of the page', () => {
  const { container } = show()
  expect(container.querySelector('time')?.textContent).toBe('Nov 21, 2026, 23:05:03')
})
