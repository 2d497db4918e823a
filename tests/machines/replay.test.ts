import { expect, test } from 'vitest'
import { createActor, fromPromise, setup, SimulatedClock, type AnyActorRef, type AnyStateMachine } from 'xstate'
import type { ApiError, Reply } from '../../src/api/reply.ts'
import { userAddMachine } from '../../src/machines/users/user-add.machine.ts'
import { userFormMachine } from '../../src/machines/users/user-values.ts'
import { signInMachine } from '../../src/machines/session/sign-in.machine.ts'
import { masked } from '../../src/views/dev/record/plain.ts'
import { Recorder } from '../../src/views/dev/record/recorder.ts'
import { sessionOf, type Session } from '../../src/views/dev/record/session.ts'
import { pageInput } from './page.ts'
import { replay } from './replay.ts'
import { expecting, readSession } from './session-file.ts'
import { settle } from './settle.ts'

const apiError: ApiError = { status: 401, code: 'Wrong', message: '', details: {}, retryAfterSeconds: null }

/** Runs a machine as somebody's child, and records it. */
function record(page: AnyStateMachine, recordedEvents = 1000) {
  let now = 0
  const recorder = new Recorder({ now: () => (now += 1), entries: 100, recordedEvents })
  const clock = new SimulatedClock()
  const parent = setup({ actors: { page } }).createMachine({
    id: 'parent',
    invoke: { id: 'page', src: 'page', input: pageInput() },
  })
  const actor: AnyActorRef = createActor(parent, { clock, inspect: recorder.observe }).start()
  const child = (...path: string[]): AnyActorRef => path.reduce((ref, name) => ref.getSnapshot().children[name], actor)
  const session = () => {
    const root = recorder.records().find(({ ref }) => ref === child('page'))
    return root === undefined ? null : sessionOf(root, recorder)
  }
  return { clock, child, session }
}

/** As it is after it was a file. */
const written = (session: Session | null): Session => readSession(JSON.stringify(session))

test('a session of a machine: what came from views, promises and timers, without secrets, and replayed to the same states', async () => {
  const { clock, child, session } = record(
    signInMachine.provide({
      actors: {
        signIn: fromPromise((): Promise<Reply<{ mustChangePassword: boolean }>> =>
          Promise.resolve({ ok: false, apiError }),
        ),
      },
    }),
  )
  child('page').send({ type: 'credentials.submitted' })
  child('page').send({ type: 'credentials.edited', login: 'ann', password: 'horse' })
  child('page').send({ type: 'credentials.submitted' })
  await settle()
  clock.increment(1000)
  const { machine, parent, steps } = written(session())
  expect({ machine, parent }).toEqual({ machine: 'signIn', parent: { machine: 'parent', src: 'page' } })
  expect(steps).toEqual([
    { to: '', event: { type: 'credentials.submitted' }, states: { '': 'incomplete' } },
    { to: '', event: { type: 'credentials.edited', login: 'ann', password: masked }, states: { '': 'editing' } },
    { to: '', event: { type: 'credentials.submitted' }, states: { '': 'submitting' } },
    {
      to: '',
      event: { type: 'xstate.done.actor.signIn', actorId: 'signIn', output: { ok: false, apiError } },
      states: { '': 'editing' },
    },
  ])
  expect(replay(written(session()))).toEqual(steps)
})

test('the machines below it are in the session, and what they tell each other is left to them', async () => {
  const form = userFormMachine.provide({
    actors: {
      submit: fromPromise((): Promise<Reply<object>> =>
        Promise.resolve({ ok: true, value: {}, retryAfterSeconds: null }),
      ),
    },
  })
  const { child, session } = record(userAddMachine.provide({ actors: { form } }))
  child('page', 'form').send({ type: 'form.edited', values: { name: 'bob', password: 'correct horse battery' } })
  child('page', 'form').send({ type: 'form.submitted' })
  await settle()
  const { steps } = written(session())
  expect(steps.map(({ to, event }) => [to, event.type])).toEqual([
    ['form', 'form.edited'],
    ['form', 'form.submitted'],
    ['form', 'xstate.done.actor.submit'],
  ])
  expect(steps.at(-1)?.states).toHaveProperty([''])
  expect(replay(written(session()))).toEqual(steps)
})

test('a session whose beginning is no longer kept is none', () => {
  const { child, session } = record(signInMachine, 4)
  for (const login of 'abcdef') child('page').send({ type: 'credentials.edited', login })
  expect(session()).toBeNull()
})

const step = { to: '', event: { type: 'credentials.submitted' }, states: { '': 'incomplete' } }
const incomplete: Session = {
  version: 1,
  machine: 'signIn',
  parent: null,
  input: JSON.parse(JSON.stringify(pageInput())),
  steps: [step],
}

test('where another state is expected than was recorded, the replay comes to what is true', () => {
  const asked = expecting(incomplete, 'editing')
  expect(asked.steps).toEqual([{ ...step, states: { '': 'editing' } }])
  expect(expecting(incomplete, '{"a":"b"}').steps[0]?.states).toEqual({ '': { a: 'b' } })
  expect(replay(asked)).toEqual([step])
})

test('a machine that dies shows the error instead of its state', () => {
  const dying = { ...step, event: { type: 'xstate.done.actor.signIn' }, states: { '': 'editing' } }
  const submitted = { ...step, states: { '': 'submitting' } }
  const filled = {
    ...step,
    event: { type: 'credentials.edited', login: 'a', password: 'b' },
    states: { '': 'editing' },
  }
  expect(replay({ ...incomplete, steps: [filled, submitted, dying] }).at(-1)?.states['']).toMatch(
    /^died: .*xstate.done.actor.signIn/,
  )
})

test('only a session is read as one', () => {
  expect(() => readSession('{"version":2}')).toThrow('version')
})
