// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { createActor, fromPromise, SimulatedClock } from 'xstate'
import { MotionAnswer } from '../../api/contract/motion.ts'
import { ok } from '../../../tests/fixtures/replies.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { supplement } from '../../../tests/views/supplement.ts'
import { i18n } from '../../i18n/i18n.ts'
import { motionMachine } from '../../machines/motion/motion.machine.ts'
import { selectMarks } from '../../machines/player/player.selectors.ts'
import { selectionMachine } from '../../machines/player/selection.machine.ts'
import { timelineMachine } from '../../machines/timeline/timeline.machine.ts'
import { timelineListsMachine } from '../../machines/timeline/timeline-lists.machine.ts'
import { useMotionTool } from './use-motion-tool.tsx'

const now = Date.UTC(2026, 10, 21, 12)

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('the recording of motion that was found is marked in the player, and shown', async () => {
  supplement()
  i18n.loadAndActivate({ locale: 'en', messages: {} })
  const [startTime, endTime] = [now - 60_000, now - 5000].map((at) => new Date(at).toISOString())
  const answer = MotionAnswer.parse({
    items: [{ startTime, endTime, score: 0.5, source: 'picture' }],
    coverage: [],
    searchedUntil: new Date(now).toISOString(),
  })
  const motion = createActor(
    motionMachine.provide({ actors: { search: fromPromise(() => Promise.resolve(ok(answer))) } }),
    { input: { uid: 'gate' } },
  ).start()
  const clock = new SimulatedClock()
  const timeline = createActor(timelineMachine, {
    input: { streamId: 'gate', rangesMaxSeconds: 3600, now, zone: 'UTC', period: { from: now - 1000, to: now } },
    clock,
  }).start()
  const selection = createActor(selectionMachine.provide({ actions: { report: () => undefined } }), {
    input: { uid: 'gate', chunkMs: 3_600_000, selection: null },
    clock,
  }).start()
  const lists = createActor(timelineListsMachine, { input: { isOpen: true, list: 'motion', types: [] } }).start()
  const onPick = vi.fn<(at: number) => void>()
  function Tool() {
    const tool = useMotionTool({ motion: { actor: motion, load: () => undefined }, timeline, selection, lists, onPick })
    return tool.tab?.panel
  }
  render(
    <I18nProvider i18n={i18n}>
      <Tool />
    </I18nProvider>,
  )
  const press = async (name: string) => {
    fireEvent.click(await screen.findByRole('button', { name }))
    await act(settle)
  }
  await press('Last hour')
  await press('Search')
  await press('Select the recording: 11:59:00, Sat, Nov 21')
  const { from, to } = selectMarks(selection.getSnapshot())
  expect([from, to, onPick.mock.calls]).toEqual([now - 75_000, now, [[now - 60_000]]])
})
