import { createActor, fromPromise, setup, SimulatedClock } from 'xstate'
import { describe, expect, test } from 'vitest'
import { walkEdges } from '../../../tests/machines/edges.ts'
import type { TimeRange } from '../../api/contract/time-range.ts'
import { ok } from '../../../tests/fixtures/replies.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { Measured } from './selection.machine.ts'
import { clipCutAt, clipMachine, clipParts, clipProblem, clipSeconds, type ClipEvent } from './clip.machine.ts'

const at = Date.UTC(2026, 10, 21, 12)
const input = { uid: 'gate', at, now: at + 3_600_000, zone: 'Europe/Berlin', maxSeconds: 3600, chunkMs: 60_000 }
const begun = (given: object = {}) =>
  createActor(clipMachine, { input: { ...input, ...given }, clock: new SimulatedClock() }).getSnapshot().context

describe('a clip', () => {
  test('starts as two minutes around the moment, in local time', () => {
    expect(begun()).toEqual({
      uid: 'gate',
      now: input.now,
      zone: 'Europe/Berlin',
      maxSeconds: 3600,
      chunkMs: 60_000,
      facts: null,
      from: '2026-11-21 12:59:00',
      to: '2026-11-21 13:01:00',
    })
  })

  test('starts as the selection, if there is one, extended to whole seconds', () => {
    const { from, to } = begun({ selection: { from: at + 1, to: at + 5001 } })
    expect([from, to]).toEqual(['2026-11-21 13:00:00', '2026-11-21 13:00:06'])
  })

  test('reports invalid ranges, and the number of parts', () => {
    const ends = { zone: 'UTC', maxSeconds: 60, now: Number.MAX_SAFE_INTEGER }
    const clip = (from: string, to: string) => [clipProblem({ ...ends, from, to }), clipParts({ ...ends, from, to })]
    expect(clip('2026-11-21T12:00:00', '2026-11-21T12:01:00')).toEqual([null, 1])
    expect(clip('2026-11-21 12:00:00', '2026-11-21 12:01:01')).toEqual([null, 2])
    expect(clip('2026-11-21 12:00:00', '2026-11-21 13:41:00')).toEqual(['tooLong', 101])
    expect(clip('0001-01-01 00:00', '9999-01-01 00:00')[0]).toBe('tooLong')
    expect(clip('2026-11-21T12:00:00', '2026-11-21T12:00:00')).toEqual(['backwards', 0])
    expect(clip('2026-11-31T12:00:00', '')).toEqual(['unreadable', 0])
  })

  test('over an hour that occurs twice it has its real length', () => {
    const ends = { zone: 'Europe/Berlin', maxSeconds: 1, now: at }
    expect(clipSeconds({ ...ends, from: '2026-10-25T01:30:00', to: '2026-10-25T03:30:00' })).toBe(3 * 3600)
    expect(clipSeconds({ ...ends, from: '2026-10-25 02:30:00+02:00', to: '2026-10-25 02:30:00+01:00' })).toBe(3600)
  })

  test('an end in the future is cut, which is known before; a start in the future is invalid', () => {
    const ends = { zone: 'UTC', maxSeconds: 3600, now: at }
    const clip = (from: string, to: string) => {
      const given = { ...ends, from: `2026-11-21 ${from}`, to: `2026-11-21 ${to}` }
      return [clipProblem(given), clipSeconds(given), clipCutAt(given)]
    }
    expect(clip('11:50:00', '12:10:00')).toEqual([null, 600, at])
    expect(clip('11:50:00', '12:00:01')).toEqual([null, 600, null])
    expect(clip('11:50:00', '11:59:00')).toEqual([null, 540, null])
    expect(clip('12:00:00', '12:10:00')).toEqual(['future', 0, null])
  })

  test('is measured after a pause in editing, and again after an edit', async () => {
    const asked: TimeRange[] = []
    const clock = new SimulatedClock()
    const facts = { recordedMs: 90_000, gaps: 1, gapMs: 30_000 }
    const measure = fromPromise<Measured, TimeRange & { uid: string; chunkMs: number }>(async ({ input: range }) => {
      asked.push(range)
      return ok(facts)
    })
    const clip = createActor(clipMachine.provide({ actors: { measure } }), { input, clock }).start()
    const after = async (ms: number) => {
      clock.increment(ms)
      await settle()
      return clip.getSnapshot().context.facts
    }
    expect([await after(299), await after(1)]).toEqual([null, facts])
    clip.send({ type: 'clip.edited', to: 'nonsense' })
    expect(await after(300)).toBeNull()
    clip.send({ type: 'clip.edited', to: '2026-11-21 13:02:00' })
    expect(await after(300)).toEqual(facts)
    const given = { uid: 'gate', chunkMs: 60_000, from: at - 60_000 }
    expect(asked).toEqual([
      { ...given, to: at + 60_000 },
      { ...given, to: at + 120_000 },
    ])
  })

  test('reports the confirmed range to its parent, and ends', () => {
    const received: object[] = []
    const parent = createActor(
      setup({ actors: { clip: clipMachine } }).createMachine({
        invoke: { id: 'clip', src: 'clip', input },
        on: { 'clip.chosen': { actions: ({ event }) => received.push(event) } },
      }),
    ).start()
    const clip = parent.getSnapshot().children['clip']
    clip?.send({ type: 'clip.edited', to: 'nonsense' })
    clip?.send({ type: 'clip.confirmed' })
    clip?.send({ type: 'clip.edited', to: '2026-11-21 13:02:00' })
    clip?.send({ type: 'clip.confirmed' })
    expect(received).toEqual([{ type: 'clip.chosen', from: at - 60_000, to: at + 120_000 }])
    expect(clip?.getSnapshot().status).toBe('done')
  })
})

test('every edge of the chart is walked', () => {
  const own = {
    'clip.edited': [
      { type: 'clip.edited', from: 'nonsense' },
      { type: 'clip.edited', to: '2026-11-21T13:02:00' },
      { type: 'clip.edited', from: '2026-11-21T13:00:00' },
    ],
    'clip.confirmed': [{ type: 'clip.confirmed' }],
  } satisfies { [Type in ClipEvent['type']]: Extract<ClipEvent, { type: Type }>[] }
  const walked = walkEdges(clipMachine, {
    model: clipMachine.provide({ actions: { notifyChosen: () => undefined } }),
    input,
    events: [
      ...Object.values(own).flat(),
      { type: 'xstate.after.editingPause.clip.editing.settling' },
      { type: 'xstate.done.actor.measure', output: ok({ recordedMs: 0, gaps: 1, gapMs: 1000 }) },
      { type: 'xstate.error.actor.measure', error: new Error('not provided') },
    ],
    name: ({ value, context }) => JSON.stringify([value, clipProblem(context)]),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
