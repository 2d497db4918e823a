// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { createActor } from 'xstate'
import { activate, loadMessages, i18n } from '../../i18n/i18n.ts'
import { calendarMachine } from '../../machines/calendar/calendar.machine.ts'
import type { CalendarProperties } from '../../machines/calendar/calendar-rules.ts'
import { Calendar } from './Calendar.tsx'

afterEach(cleanup)

async function open(language: string, properties: Partial<CalendarProperties> = {}) {
  await activate(language)
  await loadMessages('pages')
  const actor = createActor(calendarMachine, { input: { mode: 'single', today: '2026-11-21', ...properties } }).start()
  return render(
    <I18nProvider i18n={i18n}>
      <Calendar actor={actor} />
    </I18nProvider>,
  )
}

test('shows three months by default', async () => {
  const months = ({ getAllByRole }: Awaited<ReturnType<typeof open>>) =>
    getAllByRole('grid').map((grid) => grid.getAttribute('aria-label'))
  expect(months(await open('en'))).toEqual(['September 2026', 'October 2026', 'November 2026'])
  cleanup()
  expect(months(await open('en', { months: 6 })).length).toBe(6)
})

test.each([
  ['en', ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'], 'Monday', 'November 2026'],
  ['ru', ['пн', 'вт', 'ср', 'чт', 'пт', 'сб', 'вс'], 'понедельник', 'ноябрь 2026 г.'],
])('the days of the week are named in %s', async (language, short, long, month) => {
  const { getByRole } = await open(language)
  const heads = [...getByRole('grid', { name: month }).querySelectorAll('[role="columnheader"]')]
  expect([heads.map((head) => head.textContent), heads[0]?.getAttribute('aria-label')]).toEqual([short, long])
})

test.each([
  ['single', ['2026-11-14']],
  ['period', ['2026-11-10', '2026-11-11', '2026-11-12', '2026-11-13', '2026-11-14']],
  ['multi', ['2026-11-10', '2026-11-11', '2026-11-12', '2026-11-13', '2026-11-14']],
] as const)('a click with Shift selects in mode %s', async (mode, expected) => {
  const { container } = await open('en', { mode })
  const day = (number: number) => {
    const cell = container.querySelector(`[data-day="2026-11-${number}"]`)
    if (cell === null) throw new Error('no day')
    return cell
  }
  fireEvent.click(day(10))
  fireEvent.click(day(14), { shiftKey: true })
  const selected = [...container.querySelectorAll('[aria-selected="true"]')]
  expect(selected.map((cell) => cell.getAttribute('data-day'))).toEqual(expected)
})
