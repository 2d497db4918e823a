import { createActor, fromPromise, SimulatedClock, type AnyEventObject } from 'xstate'
import { expect, test } from 'vitest'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { Preset, PtzAbilities, PtzBody } from '../../api/contract/ptz.ts'
import { noResponse, type Reply } from '../../api/reply.ts'
import type { PtzEvent } from './ptz.events.ts'
import { ptzMachine } from './ptz.machine.ts'

const abilities: PtzAbilities = { move: true, zoom: true, presets: true, home: true }
const done = <T>(value: T): Reply<T> => ({ ok: true, value, retryAfterSeconds: null })
const refused: Reply<never> = { ok: false, apiError: noResponse }
const right = { pan: 1, tilt: 0, zoom: 0 }
const up = { pan: 0, tilt: 1, zoom: 0 }
const gate = { token: '1', name: 'Gate' }
const begun = (velocity = right): PtzEvent => ({ type: 'move.begun', velocity })

function start() {
  const sent: PtzBody[] = []
  const answers: PromiseWithResolvers<Reply<object>>[] = []
  const calls: object[] = []
  const clock = new SimulatedClock()
  const presets = [gate]
  const actor = createActor(
    ptzMachine.provide({
      actors: {
        control: fromPromise(({ input: { body } }) => {
          sent.push(body)
          const answer = Promise.withResolvers<Reply<object>>()
          answers.push(answer)
          return answer.promise
        }),
        readPresets: fromPromise(async () => done<readonly Preset[]>([...presets])),
        savePreset: fromPromise(async ({ input: { name } }) => {
          calls.push({ name })
          presets.push({ token: '2', name })
          return done({ token: '2', name })
        }),
        removePreset: fromPromise(async ({ input: { token } }) => {
          calls.push({ token })
          return refused
        }),
      },
    }),
    { clock, input: { uid: 'c1' } },
  ).start()
  actor.send({ type: 'abilities.changed', abilities })
  return {
    actor,
    sent,
    calls,
    send: (...events: PtzEvent[]) => {
      for (const event of events) actor.send(event)
    },
    answer: async (reply: Reply<object> = done({})) => {
      answers.shift()?.resolve(reply)
      await settle()
    },
    pass: (ms: number) => clock.increment(ms),
    control: () => actor.getSnapshot().value.control,
    context: () => actor.getSnapshot().context,
  }
}

test('a held direction is sent again and again, and its stop follows the last answer', async () => {
  const { send, sent, answer, pass, control } = start()
  send(begun())
  await answer()
  pass(399)
  expect(sent).toEqual([{ move: right }])
  pass(1)
  send({ type: 'move.ended' })
  expect([control(), sent]).toEqual(['calling', [{ move: right }, { move: right }]])
  await answer()
  expect([control(), sent.at(-1)]).toEqual(['stopping', { stop: true }])
  await answer()
  expect(control()).toBe('idle')
})

test('another direction is sent at once, after the answer to the one before', async () => {
  const { send, sent, answer, control } = start()
  send(begun(), begun(up))
  expect(sent).toEqual([{ move: right }])
  await answer()
  expect(sent).toEqual([{ move: right }, { move: up }])
  await answer()
  send(begun(right))
  expect(sent.at(-1)).toEqual({ move: right })
  await answer()
  send({ type: 'move.ended' })
  expect(control()).toBe('stopping')
})

test('what the camera refuses is kept until the next move', async () => {
  const { send, answer, control, context } = start()
  send({ type: 'goal.chosen', goal: { preset: '1' } })
  await answer(refused)
  expect([control(), context().apiError]).toEqual(['failing', noResponse])
  send(begun())
  expect([control(), context().apiError]).toEqual(['calling', null])
})

test('presets are read when the pad is opened, saved by a name, and deleted after a question', async () => {
  const { send, context, calls, actor } = start()
  send({ type: 'pad.toggled' })
  await settle()
  expect(context().presets).toEqual([gate])
  send({ type: 'preset.saved' }, { type: 'name.edited', name: ' Yard ' }, { type: 'preset.saved' })
  await settle()
  expect([context().presets, context().name]).toEqual([[gate, { token: '2', name: 'Yard' }], ''])
  send({ type: 'removal.requested', preset: gate }, { type: 'removal.cancelled' })
  send({ type: 'removal.requested', preset: gate }, { type: 'removal.confirmed' })
  await settle()
  expect([calls, actor.getSnapshot().value.presets, context().apiError]).toEqual([
    [{ name: 'Yard' }, { token: '1' }],
    'ready',
    noResponse,
  ])
})

test('the pad closes when the stream has no PTZ any more', () => {
  const { send, actor } = start()
  send({ type: 'pad.toggled' }, { type: 'abilities.changed', abilities: null })
  expect(actor.getSnapshot().value.pad).toBe('closed')
  send({ type: 'pad.toggled' })
  expect(actor.getSnapshot().value.pad).toBe('closed')
})

test('a preset that is chosen while the camera is told to stop is gone to', async () => {
  const { send, sent, answer, control } = start()
  send(begun())
  await answer()
  send({ type: 'move.ended' }, { type: 'goal.chosen', goal: { preset: '1' } })
  expect([control(), sent.at(-1)]).toEqual(['going', { preset: '1' }])
})

test('a preset that is chosen while a direction is held is gone to, and the move is not repeated', async () => {
  const goal = { preset: '1' }
  for (const isAnswered of [false, true]) {
    const { send, sent, answer, pass, control } = start()
    send(begun())
    if (isAnswered) await answer()
    expect(control()).toBe(isAnswered ? 'holding' : 'calling')
    send({ type: 'goal.chosen', goal })
    if (!isAnswered) await answer()
    pass(400)
    send({ type: 'move.ended' })
    expect([control(), sent]).toEqual(['going', [{ move: right }, goal]])
    await answer()
    expect(control()).toBe('idle')
  }
})

test('every edge of the chart is walked', () => {
  const fault = { error: new Error('broken') }
  const outcomes = (actorId: string, value: unknown) => [
    { type: `xstate.done.actor.${actorId}`, output: { ok: true, value, retryAfterSeconds: null } },
    { type: `xstate.done.actor.${actorId}`, output: refused },
    { type: `xstate.error.actor.${actorId}`, ...fault },
  ]
  const own = {
    'abilities.changed': [
      { type: 'abilities.changed', abilities },
      { type: 'abilities.changed', abilities: null },
    ],
    'pad.toggled': [{ type: 'pad.toggled' }],
    'move.begun': [
      { type: 'move.begun', velocity: right },
      { type: 'move.begun', velocity: up },
    ],
    'move.ended': [{ type: 'move.ended' }],
    'goal.chosen': [{ type: 'goal.chosen', goal: { home: true } }],
    'name.edited': [{ type: 'name.edited', name: 'Yard' }],
    'preset.saved': [{ type: 'preset.saved' }],
    'removal.requested': [{ type: 'removal.requested', preset: gate }],
    'removal.confirmed': [{ type: 'removal.confirmed' }],
    'removal.cancelled': [{ type: 'removal.cancelled' }],
  } satisfies { [Type in PtzEvent['type']]: Extract<PtzEvent, { type: Type }>[] }
  const all = Object.values(own).flat()
  const isOfPresets = ({ type }: { type: string }) => /^(name|preset|removal)\./.test(type)
  // Regions that go on side by side are walked one after another, as together they have thousands of states.
  const walk = (events: readonly AnyEventObject[]) =>
    walkEdges(ptzMachine, {
      model: ptzMachine,
      input: { uid: 'c1' },
      events,
      name: ({ value, context }) =>
        JSON.stringify([
          value,
          context['abilities'] === null,
          context['velocity'],
          context['velocity'] === context['sent'],
          context['name'],
        ]),
    })
  const walks = [
    walk([
      ...all.filter(({ type }) => /^(abilities|move|goal)\./.test(type)),
      ...outcomes('move', {}),
      ...outcomes('stop', {}),
      ...outcomes('goTo', {}),
      { type: 'xstate.after.repeatInterval.ptz.control.holding' },
    ]),
    walk([
      ...all.filter((event) => isOfPresets(event) || /^(abilities|pad)\./.test(event.type)),
      ...outcomes('readPresets', [gate]),
      ...outcomes('savePreset', gate),
      ...outcomes('removePreset', {}),
    ]),
  ]
  expect(walks.flatMap(({ strayed }) => strayed)).toEqual([])
  expect([...new Set(walks.flatMap(({ covered }) => covered))].toSorted()).toEqual(walks[0]?.declared)
})
