import { createActor, fromCallback, fromPromise, setup, SimulatedClock } from 'xstate'
import { describe, expect, test } from 'vitest'
import type { Reply } from '../../api/reply.ts'
import { noResponse } from '../../api/reply.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { notificationsMachine } from '../notifications/notifications.machine.ts'
import type { FormEvent } from './form.events.ts'
import type { FormRules } from './form.context.ts'
import { formMachineOf } from './form.machine.ts'

interface Values {
  name: string
  password: string
}

type Rules = FormRules<Values, object, null>

const blank = { name: '', password: '' }

function start(answer: () => Promise<Reply<object>>, rules: Rules = {}, found: object | null = null) {
  const clock = new SimulatedClock()
  const received: object[] = []
  const sent: object[] = []
  const left: string[] = []
  const order: string[] = []
  const kept: object[] = []
  const child = formMachineOf(rules).provide({
    actors: {
      submit: fromPromise(async ({ input: given }) => {
        sent.push(given)
        return answer()
      }),
      watchLeaving: fromCallback(({ receive }) => {
        const note = (what: string) => [left, order].forEach((list) => list.push(what))
        note('held')
        receive(() => note('gone'))
        return () => note('free')
      }),
      storeDraft: fromCallback(({ receive, sendBack }) => {
        if (found !== null) sendBack({ type: 'draft.found', values: found })
        receive(({ values }) => kept.push(values))
      }),
    },
  })
  const parent = setup({ actors: { child, notifications: notificationsMachine } }).createMachine({
    invoke: [
      { id: 'notifications', systemId: 'notifications', src: 'notifications' },
      { id: 'form', src: 'child', input: { values: blank, facts: null } },
    ],
    on: { '*': { actions: [({ event }) => received.push(event), ({ event }) => order.push(event.type)] } },
  })
  const actor = createActor(parent, { clock }).start()
  const { form: ref, notifications } = actor.getSnapshot().children
  if (ref === undefined) throw new Error('the form has no actor')
  return {
    clock,
    received,
    sent,
    left,
    order,
    kept,
    isRestored: () => ref.getSnapshot().context.isRestored,
    send: (event: FormEvent<Values>) => ref.send(event),
    value: () => ref.getSnapshot().value,
    context: () => {
      const { values, saved, errors, failures } = ref.getSnapshot().context
      return { values, saved, errors, failures }
    },
    toasts: () => notifications?.getSnapshot().context.shown.map(({ tone, code }) => `${tone} ${code}`),
  }
}

describe('a form', () => {
  test('saves the values, clears passwords and stays busy for 300 ms', async () => {
    const { send, value, context, received, sent, clock } = start(async () => ok({ id: '1' }), {
      afterSave: () => ({ password: '' }),
    })
    send({ type: 'form.edited', values: { name: 'ann', password: 'secret' } })
    send({ type: 'form.submitted' })
    await settle()
    expect(sent).toEqual([{ values: { name: 'ann', password: 'secret' }, saved: { name: '', password: '' } }])
    expect(received).toEqual([{ type: 'form.saved', answer: { id: '1' }, values: { name: 'ann', password: 'secret' } }])
    expect(context()).toEqual({
      values: { name: 'ann', password: '' },
      saved: { name: 'ann', password: '' },
      errors: {},
      failures: 0,
    })
    expect(value()).toEqual({ work: 'saved', leaving: 'free', draft: 'off' })
    clock.increment(300)
    expect(value()).toEqual({ work: 'editing', leaving: 'free', draft: 'off' })
  })

  test('keeps what is typed during a save', async () => {
    const { send, context } = start(async () => ok({}))
    send({ type: 'form.edited', values: { name: 'ann' } })
    send({ type: 'form.submitted' })
    send({ type: 'form.edited', values: { name: 'anna' } })
    await settle()
    expect(context()).toEqual({
      values: { name: 'anna', password: '' },
      saved: { name: 'ann', password: '' },
      errors: {},
      failures: 0,
    })
  })

  test('sends nothing that its rules refuse', async () => {
    const { send, sent, context } = start(async () => ok({}), {
      validate: ({ name }) => (name === '' ? { name: 'required' } : {}),
    })
    send({ type: 'form.submitted' })
    await settle()
    expect({ sent, ...context() }).toEqual({
      sent: [],
      values: { name: '', password: '' },
      saved: { name: '', password: '' },
      errors: { name: 'required' },
      failures: 1,
    })
  })

  test.each([
    [
      'beside the fields that a ValidationError names',
      apiError('ValidationError', { name: 'Too short' }),
      { name: 'Too short' },
      [],
    ],
    [
      'in a toast too where a path is none of its fields',
      apiError('ValidationError', { role: 'No' }),
      { role: 'No' },
      ['error ValidationError'],
    ],
    ['beside the field of its code', apiError('InvalidOldPassword', {}), { password: 'InvalidOldPassword' }, []],
    [
      'beside the field of its code and in a toast where the specification has one',
      apiError('AlreadyUsed', {}),
      { name: 'AlreadyUsed' },
      ['error AlreadyUsed'],
    ],
    [
      'beside the field that the server names with the code',
      apiError('InvalidOldPassword', { name: 'x' }),
      { name: 'InvalidOldPassword' },
      [],
    ],
    ['in a toast for any other code', refused(403, 'Forbidden'), {}, ['error Forbidden']],
  ])('reports a refusal %s, and loses nothing', async (_where, reply, errors, toasts) => {
    const { send, received, ...seen } = start(async () => reply, {
      fieldOfCode: { InvalidOldPassword: 'password', AlreadyUsed: 'name' },
    })
    send({ type: 'form.edited', values: { name: 'ann' } })
    send({ type: 'form.submitted' })
    await settle()
    expect(seen.context()).toEqual({
      values: { name: 'ann', password: '' },
      saved: { name: '', password: '' },
      errors,
      failures: 1,
    })
    expect(seen.toasts()).toEqual(toasts)
    expect(received).toEqual([{ type: 'form.refused', code: reply.ok ? '' : reply.apiError.code }])
  })

  test('clears an error once its field is edited', async () => {
    const { send, context } = start(async () => apiError('ValidationError', { name: 'a', password: 'b' }))
    send({ type: 'form.submitted' })
    await settle()
    send({ type: 'form.edited', values: { name: 'ann' } })
    expect(context().errors).toEqual({ password: 'b' })
  })

  test('clears an error of its rules once an edit elsewhere ends it', async () => {
    const { send, context } = start(async () => apiError('ValidationError', { name: 'a' }), {
      validate: ({ name, password }) => (password !== '' && name === '' ? { name: 'required' } : {}),
    })
    send({ type: 'form.edited', values: { password: 'new' } })
    send({ type: 'form.submitted' })
    expect(context().errors).toEqual({ name: 'required' })
    send({ type: 'form.edited', values: { password: 'newer' } })
    expect(context().errors).toEqual({ name: 'required' })
    send({ type: 'form.edited', values: { password: '' } })
    expect(context().errors).toEqual({})
    send({ type: 'form.submitted' })
    await settle()
    send({ type: 'form.edited', values: { password: 'new' } })
    expect(context().errors).toEqual({ name: 'a' })
  })

  test('blocks leaving only while there are unsaved changes, and asks', () => {
    const { send, left, value } = start(async () => ok({}))
    send({ type: 'form.edited', values: { name: 'a' } })
    send({ type: 'leave.attempted' })
    send({ type: 'leave.cancelled' })
    send({ type: 'form.edited', values: { name: '' } })
    expect(left).toEqual(['held', 'free'])
    send({ type: 'form.edited', values: { name: 'b' } })
    send({ type: 'leave.attempted' })
    expect(value()).toEqual({ work: 'editing', leaving: { held: 'confirming' }, draft: 'off' })
    send({ type: 'leave.confirmed' })
    expect(left).toEqual(['held', 'free', 'held', 'gone'])
    send({ type: 'form.edited', values: { name: 'c' } })
    expect({ left, value: value() }).toEqual({
      left: ['held', 'free', 'held', 'gone', 'free', 'held'],
      value: { work: 'editing', leaving: { held: 'watching' }, draft: 'off' },
    })
  })

  test('blocks again if leaving fails, and stores the draft again', () => {
    const { send, left, kept } = start(async () => ok({}), { draft: (changed) => changed })
    send({ type: 'form.edited', values: { name: 'a' } })
    send({ type: 'leave.attempted' })
    send({ type: 'leave.confirmed' })
    send({ type: 'leave.cancelled' })
    expect({ left, kept }).toEqual({
      left: ['held', 'gone', 'free', 'held'],
      kept: [{ name: 'a' }, {}, { name: 'a' }],
    })
  })

  test('stops blocking before it notifies the parent of the save', async () => {
    const { send, order } = start(async () => ok({}))
    send({ type: 'form.edited', values: { name: 'ann' } })
    send({ type: 'form.submitted' })
    await settle()
    expect(order).toEqual(['held', 'free', 'form.saved'])
  })

  const draft = ({ password: _, ...rest }: Partial<Values>) => rest

  test('stores the draft until it is saved or abandoned', async () => {
    const { send, kept } = start(async () => ok({}), { draft })
    send({ type: 'form.edited', values: { name: 'ann', password: 'secret' } })
    send({ type: 'form.submitted' })
    await settle()
    send({ type: 'form.edited', values: { name: 'anna' } })
    send({ type: 'leave.attempted' })
    send({ type: 'leave.confirmed' })
    expect(kept).toEqual([{ name: 'ann' }, {}, { name: 'anna' }, {}])
  })

  test('restores the fields of a draft that it has, and clears it on a reset', () => {
    const { send, kept, context, isRestored } = start(
      async () => ok({}),
      { draft },
      { name: 'ann', password: 7, role: 'admin' },
    )
    expect({ ...context(), isRestored: isRestored() }).toEqual({
      values: { name: 'ann', password: '' },
      saved: { name: '', password: '' },
      errors: {},
      failures: 0,
      isRestored: true,
    })
    send({ type: 'form.reset', values: { name: '', password: '' } })
    expect({ kept, name: context().values.name, isRestored: isRestored() }).toEqual({
      kept: [{}],
      name: '',
      isRestored: false,
    })
  })

  test('every edge of the chart is walked', () => {
    const events = [
      { type: 'form.edited', values: { name: 'ann' } },
      { type: 'form.edited', values: { name: '' } },
      { type: 'form.submitted' },
      { type: 'form.cancelled' },
      { type: 'form.reset', values: { name: 'bob', password: '' } },
      { type: 'form.rebased', values: { name: 'cid' } },
      { type: 'leave.attempted' },
      { type: 'leave.confirmed' },
      { type: 'leave.cancelled' },
      { type: 'draft.found', values: { name: 'ann' } },
    ] satisfies FormEvent<Values>[]
    const rules: Rules = { validate: ({ name }) => (name === '' ? { name: 'required' } : {}) }
    const walk = (given: Rules) => {
      const form = formMachineOf(given)
      return walkEdges(form, {
        model: form.provide({ actions: { notifySaved: () => undefined, handleApiError: () => undefined } }),
        input: { values: blank, facts: null },
        events: [
          ...events,
          { type: 'xstate.done.actor.submit', output: ok({}) },
          { type: 'xstate.done.actor.submit', output: refused(500, 'InternalServerError') },
          { type: 'xstate.error.actor.submit', error: new Error('not provided') },
          { type: 'xstate.after.savedFlag.form.work.saved' },
        ],
        name: ({ value, context }) => `${JSON.stringify(value)} ${JSON.stringify([context.values, context.saved])}`,
      })
    }
    const [plain, drafting] = [walk(rules), walk({ ...rules, draft })]
    expect([plain.strayed, drafting.strayed]).toEqual([[], []])
    expect([...new Set([...plain.covered, ...drafting.covered])].toSorted()).toEqual(plain.declared)
  })
})

function apiError(code: string, details: Record<string, unknown>): Reply<never> {
  return { ok: false, apiError: { ...noResponse, status: 400, code, details } }
}
