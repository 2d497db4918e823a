import { createActor, fromPromise, setup, SimulatedClock } from 'xstate'
import { describe, expect, test } from 'vitest'
import type { User } from '../../api/contract/user.ts'
import type { Reply } from '../../api/reply.ts'
import { configurationOf, ok, refused, settingsOf, userOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { initFormMachine, initMachine, type InitValues } from './init.machine.ts'

const values: InitValues = { login: 'ann', password: 'a long enough secret', email: '', license: '' }
const input = {
  params: {},
  address: { pathname: '/init', search: '', hash: '' },
  settings: settingsOf(),
  configuration: configurationOf(),
  user: null,
}

async function submit(answer: Reply<User>, typed: InitValues = values) {
  const received: unknown[] = []
  const sent: InitValues[] = []
  const child = initMachine.provide({
    actors: {
      form: initFormMachine.provide({
        actors: {
          submit: fromPromise(async ({ input: { values: body } }) => {
            sent.push(body)
            return answer
          }),
        },
      }),
    },
  })
  const parent = setup({ actors: { child } }).createMachine({
    invoke: { id: 'page', src: 'child', input },
    on: { '*': { actions: ({ event }) => received.push(event) } },
  })
  const { page } = createActor(parent, { clock: new SimulatedClock() }).start().getSnapshot().children
  if (page === undefined) throw new Error('not started')
  const { form } = page.getSnapshot().context
  form.send({ type: 'form.edited', values: typed })
  form.send({ type: 'form.submitted' })
  await settle()
  return { received, sent, page, errors: form.getSnapshot().context.errors }
}

describe('server initialization (docs/behaviour.md §2)', () => {
  test('notifies the root of the user who was created and signed in', async () => {
    const { received, sent } = await submit(ok(userOf()))
    expect({ received, sent }).toEqual({ received: [{ type: 'session.started', user: userOf() }], sent: [values] })
  })

  test.each([
    ['PasswordIsNotComplexEnough', 'password'],
    ['IncorrectLicense', 'license'],
    ['AlreadyUsed', 'login'],
  ])('%s lands beside %s', async (code, field) => {
    const { errors, received } = await submit(refused(400, code))
    expect({ errors, received }).toEqual({ errors: { [field]: code }, received: [] })
  })

  test('nothing is sent without a login and a password', async () => {
    const { errors, sent } = await submit(ok(userOf()), { login: ' ', password: '', email: '', license: '' })
    expect({ errors, sent }).toEqual({ errors: { login: 'required', password: 'required' }, sent: [] })
  })

  test('a server that was initialized meanwhile is reported, and the page leads to sign-in', async () => {
    const { page, received } = await submit(refused(409, 'ActionNotAcceptable'))
    expect({ value: page.getSnapshot().value, received }).toEqual({ value: 'taken', received: [] })
    page.send({ type: 'signIn.requested' })
    expect(received).toEqual([{ type: 'server.initialized' }])
  })
})

test('every edge of the chart is walked', () => {
  const walked = walkEdges(initMachine, {
    model: initMachine.provide({ actions: { notifyStarted: () => undefined, notifyInitialized: () => undefined } }),
    input,
    events: [
      { type: 'form.saved', answer: userOf(), values },
      { type: 'form.refused', code: 'ActionNotAcceptable' },
      { type: 'form.refused', code: 'ValidationError' },
      { type: 'signIn.requested' },
    ],
    name: ({ value }) => JSON.stringify(value),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
