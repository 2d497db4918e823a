// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createActor, fromPromise, SimulatedClock } from 'xstate'
import { ok } from '../../../tests/fixtures/replies.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { activate, loadMessages, i18n } from '../../i18n/i18n.ts'
import { clipMachine } from '../../machines/player/clip.machine.ts'
import type { RangeFacts } from '../../machines/player/range-facts.ts'
import { ClipDialog } from './ClipDialog.tsx'

const now = Date.UTC(2026, 10, 21, 12)
const minute = 60_000

beforeEach(() => void vi.stubGlobal('CSS', { escape: (value: string) => value }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function open(language: string, facts: RangeFacts) {
  await activate(language)
  await loadMessages('pages')
  const clock = new SimulatedClock()
  const actor = createActor(clipMachine.provide({ actors: { measure: fromPromise(async () => ok(facts)) } }), {
    clock,
    input: {
      uid: 'gate',
      at: now,
      now,
      zone: 'UTC',
      maxSeconds: 3600,
      chunkMs: minute,
      selection: { from: now - 30 * minute, to: now },
    },
  }).start()
  render(
    <I18nProvider i18n={i18n}>
      <ClipDialog actor={actor} bitrate={8000} onClose={() => undefined} />
    </I18nProvider>,
  )
  const measured = async () => {
    clock.increment(300)
    await settle()
    await screen.findByText(/12|14|Запис/)
  }
  const notes = () => [...screen.getByRole('status').querySelectorAll('p')].map(({ textContent }) => textContent)
  return { measured, notes }
}

test.each([
  [
    'en',
    [
      'Duration: 30 min.',
      'Recorded: 14 min of 30 min, 3 gaps. The video leaves them out. About 840 kB.',
      'Times in UTC',
    ],
  ],
  [
    'ru',
    [
      'Длительность: 30 мин.',
      'Записано: 14 мин из 30 мин, 3 пропуска. В видео их не будет. Около 840 кБ.',
      'Время: UTC',
    ],
  ],
])('in %s it says before the download what of it is recorded', async (language, words) => {
  const { measured, notes } = await open(language, { recordedMs: 14 * minute, gaps: 3, gapMs: 16 * minute })
  await measured()
  expect(notes()).toEqual(words)
})

test('an end in the future is cut, and that is shown', async () => {
  const { notes } = await open('en', { recordedMs: 30 * minute, gaps: 0, gapMs: 0 })
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-11-21 12:10:00' } })
  expect(notes().slice(0, 2)).toEqual([
    'Duration: 30 min.',
    'The end is in the future: the video ends at 2026-11-21 12:00:00.',
  ])
})

test('the keyboard of a phone has all characters of a moment', async () => {
  await open('en', { recordedMs: 30 * minute, gaps: 0, gapMs: 0 })
  const keyboards = ['From', 'To'].map((name) => screen.getByLabelText(name).getAttribute('inputmode') ?? 'text')
  expect(keyboards).toEqual(['text', 'text'])
})
