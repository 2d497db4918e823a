import { createActor, SimulatedClock } from 'xstate'
import { describe, expect, test } from 'vitest'
import { noAnswer } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { clipMachine, clipProblem, clipSeconds, type ClipEvent } from './clip.machine.ts'
import { localText, momentOfLocal } from './local-text.ts'

const at = Date.UTC(2026, 10, 21, 12)
const input = { uid: 'gate', at, now: at + 3_600_000, zone: 'Europe/Berlin', maxSeconds: 3600 }

describe('a clip', () => {
  test('begins as two minutes around the moment, on the wall clock of the zone', () => {
    const { context } = createActor(clipMachine, { input, clock: new SimulatedClock() }).getSnapshot()
    expect([context.from, context.to]).toEqual(['2026-11-21 12:59:00', '2026-11-21 13:01:00'])
  })

  test('says before what the server would refuse', () => {
    const ends = { zone: 'UTC', maxSeconds: 60 }
    expect(clipProblem({ ...ends, from: '2026-11-21T12:00:00', to: '2026-11-21T12:01:00' })).toBeNull()
    expect(clipProblem({ ...ends, from: '2026-11-21T12:00:00', to: '2026-11-21T12:01:01' })).toBe('tooLong')
    expect(clipProblem({ ...ends, from: '2026-11-21T12:00:00', to: '2026-11-21T12:00:00' })).toBe('backwards')
    expect(clipProblem({ ...ends, from: '2026-11-31T12:00:00', to: '' })).toBe('unreadable')
  })

  test('over the hour that comes twice it is as long as it really is', () => {
    expect(clipSeconds({ zone: 'Europe/Berlin', maxSeconds: 1, from: '2026-10-25T01:30:00', to: '2026-10-25T03:30:00' })).toBe(3 * 3600)
  })
})

test('wall-clock text goes there and back', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kolkata']) {
    expect(momentOfLocal(localText(at, zone), zone)).toBe(at)
  }
  expect(momentOfLocal('2026-11-21', 'UTC')).toBeNull()
})

test('every edge of the chart is walked', () => {
  const own = {
    'clip.edited': [
      { type: 'clip.edited', from: 'nonsense' },
      { type: 'clip.edited', to: '2026-11-21T13:02:00' },
      { type: 'clip.edited', from: '2026-11-21T13:00:00' },
    ],
    'clip.confirmed': [{ type: 'clip.confirmed' }],
    'clip.cancelled': [{ type: 'clip.cancelled' }],
    'download.advanced': [{ type: 'download.advanced', bytes: 10 }],
    'download.saved': [{ type: 'download.saved' }],
    'download.refused': [{ type: 'download.refused', refusal: noAnswer }],
  } satisfies { [Type in ClipEvent['type']]: Extract<ClipEvent, { type: Type }>[] }
  const walked = walkEdges(clipMachine, {
    model: clipMachine,
    input,
    events: Object.values(own).flat(),
    name: ({ value, context }) => JSON.stringify([value, clipProblem(context)]),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
