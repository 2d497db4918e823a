// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { act, cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createActor } from 'xstate'
import { activate, loadMessages, i18n } from '../../i18n/i18n.ts'
import { timelineMachine } from '../../machines/timeline/timeline.machine.ts'
import { overlays } from '../ui/overlays.ts'
import { ArchiveCalendar } from './ArchiveCalendar.tsx'

/** React Aria needs it, and jsdom lacks it. */
beforeEach(() => void vi.stubGlobal('CSS', { escape: (value: string) => value }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Opens the calendar of an archive on 21 November 2026, without recordings. */
const openCalendar = async (canDownload: boolean, onMoment: (at: number) => void = () => undefined) => {
  await activate('en')
  await loadMessages('pages')
  await overlays.load()
  const now = Date.UTC(2026, 10, 21, 12)
  const timeline = createActor(timelineMachine, {
    input: { streamId: 'yard', rangesMaxSeconds: 10_800, now, zone: 'UTC' },
  }).start()
  const screen = render(
    <I18nProvider i18n={i18n}>
      <ArchiveCalendar
        timeline={timeline}
        playing={now}
        canDownload={canDownload}
        onMoment={onMoment}
        onPeriod={() => undefined}
        onClose={() => undefined}
      />
    </I18nProvider>,
  )
  return { ...screen, timeline, now }
}

test('days of an archive whose extent becomes known while the calendar is open can be selected', async () => {
  const { timeline, now } = await openCalendar(true)
  const looks = () =>
    ['2026-10-31', '2026-11-01', '2026-11-21'].map((day) =>
      document.querySelector(`[data-day="${day}"]`)?.getAttribute('aria-disabled'),
    )
  const before = looks()
  const recorded = { from: Date.UTC(2026, 10, 1, 8), to: now }
  act(() => timeline.send({ type: 'coverage.changed', coverage: { recorded, days: ['2026-11-01'] }, apiError: null }))
  expect([before, looks()]).toEqual([
    ['true', 'true', 'false'],
    ['true', 'false', 'false'],
  ])
  timeline.stop()
})

test.each([
  ['the days are unknown', Date.UTC(2026, 10, 10, 8), null, '2026-11-10'],
  ['a day before the start of the archive is available', Date.UTC(2026, 10, 10, 8), ['2026-11-08'], '2026-11-08'],
  ['the start of the archive is unknown', null, ['2026-11-12', '2026-11-09'], '2026-11-09'],
  ['no recording is known', null, [], '2026-11-21'],
])('the first day that can be selected where %s', async (_, from, days, first) => {
  const moments: number[] = []
  const { timeline, now } = await openCalendar(true, (at) => moments.push(at))
  const recorded = from === null ? null : { from, to: now }
  act(() => timeline.send({ type: 'coverage.changed', coverage: { recorded, days }, apiError: null }))
  const cell = [...document.querySelectorAll('[data-day]')].find((day) => day.ariaDisabled === 'false')
  expect(cell?.getAttribute('data-day')).toBe(first)
  if (cell !== undefined) fireEvent.click(cell)
  const isStart = from !== null && first === '2026-11-10'
  expect(moments).toEqual([isStart ? from : Date.parse(`${first}T00:00:00Z`)])
  timeline.stop()
})

test.each([true, false])('a period can be downloaded only where that is allowed: %s', async (canDownload) => {
  const { getByRole, queryByRole, timeline } = await openCalendar(canDownload)
  fireEvent.click(getByRole('button', { name: 'Period' }))
  expect(getByRole('button', { name: 'Play' })).toBeDefined()
  expect(queryByRole('button', { name: 'Download' }) !== null).toBe(canDownload)
  timeline.stop()
})
