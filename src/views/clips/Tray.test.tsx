// @vitest-environment jsdom
import { act, fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { patience } from '../../../tests/fixtures/patience.ts'
import { noAnswer } from '../../../tests/fixtures/replies.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { openScreen } from '../../../tests/views/screen.tsx'
import type { Clip, ClipsEvent } from '../../machines/clips/clips.events.ts'

const from = Date.UTC(2026, 9, 25, 0, 30)
const clip: Clip = { uid: 'gate', name: 'Gate', from, to: from + 2 * 3600_000, zone: 'Europe/Berlin', maxSeconds: 3600 }

async function openTray() {
  const screen = await openScreen('/stream/gate/view')
  const send = (...events: ClipsEvent[]) =>
    act(async () => {
      events.forEach((event) => screen.clips.send(event))
      await settle()
    })
  const press = (name: string) =>
    act(() =>
      fireEvent.click(screen.inside('region', 'Downloads').getAllByRole('button', { name })[0] ?? document.body),
    )
  const rows = () =>
    screen
      .inside('region', 'Downloads')
      .queryAllByRole('listitem')
      .map((row) => [...row.querySelectorAll('p')].map((line) => line.textContent))
  return { ...screen, send, press, rows, tray: () => screen.queryByRole('region', { name: 'Downloads' }) }
}

test('the tray is there while there are downloads, on whatever page one is', async () => {
  const { send, tray, go } = await openTray()
  expect(tray()).toBeNull()
  await send({ type: 'clips.requested', clip })
  expect(tray()?.dataset['raised']).toBe('true')
  await go('/help')
  expect(tray()?.dataset['raised']).toBeUndefined()
  await send({ type: 'user.switched' })
  expect(tray()).toBeNull()
})

test('a row says what it is of, in local time with an unambiguous repeated hour, and how much has come', async () => {
  const { send, rows, inside } = await openTray()
  await send({ type: 'clips.requested', clip })
  expect(rows()).toEqual([
    ['Gate, part 1 of 2', '2026-10-25 02:30:00+02:00 – 02:30:00+01:00', 'Starting…'],
    ['Gate, part 2 of 2', '2026-10-25 02:30:00+01:00 – 03:30:00', 'Waiting'],
  ])
  const bar = () => inside('region', 'Downloads').getByRole('progressbar', { name: 'Gate, part 1 of 2' })
  await send({ type: 'download.advanced', bytes: 1_500_000, total: null })
  expect([bar().getAttribute('aria-valuenow'), bar().getAttribute('aria-valuetext'), rows()[0]?.[2]]).toEqual([
    null,
    '1.5 MB',
    '1.5 MB so far',
  ])
  await send({ type: 'download.advanced', bytes: 1_500_000, total: 6_000_000 })
  expect([bar().getAttribute('aria-valuenow'), rows()[0]?.[2]]).toEqual(['25', '1.5 MB of 6 MB'])
  expect(inside('region', 'Downloads').getByRole('heading').textContent).toBe('2 downloads · 12%')
})

test('a refused download says why and can be tried again, cancelled and dismissed', async () => {
  const { send, press, rows, tray } = await openTray()
  await send(
    { type: 'clips.requested', clip: { ...clip, to: from + 60_000 } },
    { type: 'download.refused', apiError: noAnswer },
  )
  expect(rows()[0]?.[2]).toBe('Server is not responding ')
  press('Retry')
  expect(rows()[0]?.[2]).toBe('Starting…')
  await send({ type: 'download.refused', apiError: { ...noAnswer, status: 404, code: 'NotFound' } })
  expect(rows()[0]?.[2]).toBe('There is no recording for this period ')
  press('Retry')
  const details = { end_time: 'The codec changes at 2026-10-25T00:30:12.480Z: download up to there' }
  await send({ type: 'download.refused', apiError: { ...noAnswer, status: 400, code: 'ValidationError', details } })
  expect(rows()[0]?.[2]).toBe(
    "The camera's video format changes at 2026-10-25 02:30:12+02:00. Download the parts before and after it separately. ",
  )
  press('Retry')
  press('Cancel')
  expect(rows()[0]?.[2]).toBe('Cancelled')
  press('Dismiss')
  expect(tray()).toBeNull()
})

test('folded it is a pill that sums up', async () => {
  const { send, press, rows } = await openTray()
  await send({ type: 'clips.requested', clip }, { type: 'download.advanced', bytes: 1, total: 2 })
  press('Collapse')
  expect(rows()).toEqual([])
  press('2 downloads · 25%')
  expect(rows().length).toBe(2)
})

test('Enter on the pill leads to Collapse, and not to Dismiss all', async () => {
  const { send, press, inside } = await openTray()
  await send({ type: 'clips.requested', clip })
  press('Cancel')
  press('Cancel')
  inside('region', 'Downloads').getByRole('button', { name: 'Dismiss all' })
  press('Collapse')
  const pill = inside('region', 'Downloads').getByRole('button', { name: 'Cancelled' })
  vi.spyOn(pill, 'matches').mockReturnValue(true)
  act(() => pill.focus())
  fireEvent.click(pill)
  await vi.waitFor(
    () =>
      expect(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent).toBe(
        'Collapse',
      ),
    patience,
  )
})
