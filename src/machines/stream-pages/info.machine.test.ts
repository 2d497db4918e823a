import { describe, expect, test } from 'vitest'
import { createActor, fromPromise, SimulatedClock } from 'xstate'
import { ok, refused, settingsOf, streamOf, userOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { Reply } from '../../api/reply.ts'
import { coverageMachine } from '../timeline/coverage.machine.ts'
import { streamInfoMachine } from './info.machine.ts'
import { pictureMachine } from './picture.machine.ts'
import { streamSettingsMachine } from './settings.machine.ts'
import type { StreamContentInput } from './stream-page.machine.ts'

const inputOf = (stream: object, user: object = { isAdmin: false }): StreamContentInput => ({
  uid: 'gate',
  search: '',
  stream: streamOf(stream),
  settings: settingsOf(),
  user: userOf(user),
})
describe('stream info', () => {
  test('fetches the recorded days only for users who may view the archive, in their zone', async () => {
    const asked: object[] = []
    const machine = streamInfoMachine.provide({
      actors: {
        readCalendar: fromPromise(async () => ({ now: 0, zone: 'Europe/Berlin' })),
        coverage: coverageMachine.provide({
          actors: {
            loadCoverage: fromPromise(async ({ input }) => {
              asked.push(input)
              return ok({ recorded: { from: 0, to: 1 }, days: ['1970-01-01'] })
            }),
          },
        }),
      },
    })
    const viewer = createActor(machine, { input: inputOf({}), clock: new SimulatedClock() }).start()
    await settle()
    expect([viewer.getSnapshot().value, asked]).toEqual(['withoutCoverage', []])
    const archivist = createActor(machine, {
      input: inputOf({ meta: { canViewArchive: true } }),
      clock: new SimulatedClock(),
    }).start()
    await settle()
    await settle()
    expect([asked, archivist.getSnapshot().context.coverage]).toEqual([
      [{ streamId: 'gate', zone: 'Europe/Berlin' }],
      { recorded: { from: 0, to: 1 }, days: ['1970-01-01'] },
    ])
  })

  test('reports every poll to the share', async () => {
    const actor = createActor(streamInfoMachine, { input: inputOf({}), clock: new SimulatedClock() }).start()
    actor.send({ type: 'stream.reported', stream: streamOf({ meta: { isShared: true } }) })
    expect(actor.getSnapshot().context.share.getSnapshot().context.isShared).toBe(true)
  })

  test('every edge of the chart is walked', () => {
    const calendar = { now: 0, zone: 'UTC' }
    const events = [
      { type: 'stream.reported', stream: streamOf({}) },
      { type: 'removal.started' },
      { type: 'removal.failed' },
      { type: 'stream.removed' },
      { type: 'coverage.changed', coverage: null, apiError: null },
      { type: 'xstate.done.actor.readCalendar', output: calendar },
      { type: 'xstate.error.actor.readCalendar', error: new Error('broken') },
    ]
    const walks = [inputOf({ meta: { canViewArchive: true } }), inputOf({})].map((input) =>
      walkEdges(streamInfoMachine, {
        model: streamInfoMachine.provide({ actions: { notifyShare: () => undefined, notifyParent: () => undefined } }),
        input,
        events,
        name: ({ value }) => JSON.stringify(value),
      }),
    )
    expect(walks.flatMap(({ strayed }) => strayed)).toEqual([])
    expect([...new Set(walks.flatMap(({ covered }) => covered))].toSorted()).toEqual(walks[0]?.declared)
  })
})

describe('the latest picture', () => {
  test('is fetched every ten seconds; an old one stays if there is none', async () => {
    const picture = new Blob(['one'])
    const answers: Reply<Blob>[] = [ok(picture), refused(404, 'NotFound')]
    const clock = new SimulatedClock()
    const machine = pictureMachine.provide({
      actors: { fetchPicture: fromPromise(async () => answers.shift() ?? refused(404, 'NotFound')) },
    })
    const actor = createActor(machine, { clock, input: { uid: 'gate' } }).start()
    await settle()
    clock.increment(10_000)
    await settle()
    expect([answers.length, actor.getSnapshot().context.picture]).toEqual([0, picture])
  })

  test('every edge of the chart is walked', () => {
    const walked = walkEdges(pictureMachine, {
      model: pictureMachine,
      input: { uid: 'gate' },
      events: [
        { type: 'page.hidden' },
        { type: 'page.shown' },
        { type: 'xstate.done.actor.fetchPicture', output: ok(new Blob(['one'])) },
        { type: 'xstate.error.actor.fetchPicture', error: new Error('broken') },
        { type: 'xstate.after.refreshInterval.picture.waiting' },
      ],
      name: ({ value }) => JSON.stringify(value),
    })
    expect(walked.strayed).toEqual([])
    expect(walked.covered).toEqual(walked.declared)
  })
})

test('every edge of the settings is walked', () => {
  const walked = walkEdges(streamSettingsMachine, {
    model: streamSettingsMachine.provide({ actions: { notifyStream: () => undefined } }),
    input: inputOf({}),
    events: [{ name: 'Gate' }, {}].map((answer) => ({ type: 'form.saved', answer: streamOf(answer), values: {} })),
    name: ({ value }) => JSON.stringify(value),
  })
  expect(walked.covered).toEqual(walked.declared)
})
