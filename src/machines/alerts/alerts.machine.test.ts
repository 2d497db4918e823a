import { fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import { Alert, type Alerts, type AlertTested } from '../../api/contract/alerts.ts'
import type { PushAnswer } from '../../api/browser/service-worker.ts'
import type { Reply } from '../../api/reply.ts'
import { ok, refused, settingsOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { camerasMachine, noCameras } from '../streams/cameras.machine.ts'
import { alertFormMachine, blankAlert, blankDestination } from './alert-values.ts'
import { alertListMachine, type AlertsEvent, alertsMachine, deliveriesMachine } from './alerts.machine.ts'

const alert = Alert.parse({ id: 'a1', name: 'Night', on: ['stream.failed'], to: [{ kind: 'mail', address: 'a@b.c' }] })

const open = (
  features: readonly string[] = [],
  test: Reply<AlertTested> = ok({ items: [] }),
  push: PushAnswer = { ok: false, reason: 'denied' },
) => {
  const asked: string[] = []
  const noted = <T>(what: string, reply: Reply<T>) => {
    asked.push(what)
    return reply
  }
  const page = openPage(
    alertsMachine.provide({
      actors: {
        list: alertListMachine.provide({
          actors: {
            fetchResource: fromPromise(async () => noted('list', ok<Alerts>({ items: [alert], pushKey: 'key' }))),
            perform: fromPromise(async ({ input }) => noted(`remove ${input.command.id}`, ok({}))),
          },
        }),
        cameras: camerasMachine.provide({
          actors: { fetchResource: fromPromise(async () => ok(noCameras)) },
        }),
        deliveries: deliveriesMachine.provide({
          actors: {
            fetchResource: fromPromise(async ({ input }) =>
              noted(`deliveries ${input.query}`, ok({ items: [], page: 1, pageSize: 50, total: 0 })),
            ),
          },
        }),
        form: alertFormMachine.provide({
          actors: {
            submit: fromPromise(async ({ input: { values } }) => noted(`save ${values.id} ${values.name}`, ok({}))),
          },
        }),
        subscribe: fromPromise(async ({ input }) => {
          asked.push(`subscribe by ${input.key}`)
          return push
        }),
        testAlert: fromPromise(async ({ input }) => noted(`test ${input.id}`, test)),
      },
    }),
    { ...pageInput(), settings: settingsOf({ features: [...features] }) },
  )
  const form = () => page.ref.getSnapshot().children.form
  return { ...page, asked, form }
}

test('deliveries are polled only if the server has the feature', async () => {
  const plain = open(['alerts'])
  await settle()
  expect([plain.asked, plain.context().deliveries]).toEqual([['list'], null])
  const full = open(['alerts', 'alert-deliveries'])
  await settle()
  full.clock.increment(5000)
  await settle()
  expect(full.asked).toEqual(['list', 'deliveries 1', 'deliveries 1'])
})

test('an alert is added and edited by a form, and the list is fetched again', async () => {
  const { asked, send, form, value, toasts } = open()
  await settle()
  send({ type: 'add.requested' })
  expect(form().getSnapshot().context.values).toEqual(blankAlert)
  send({ type: 'dialog.closed' })
  send({ type: 'edit.requested', alert })
  form().send({ type: 'form.edited', values: { name: 'Day ' } })
  form().send({ type: 'form.submitted' })
  await settle()
  expect([asked, value()]).toEqual([['list', 'save a1 Day ', 'list'], { dialog: 'closed', test: 'idle' }])
  expect(toasts()).toEqual([{ tone: 'success', code: 'alertSaved', values: { name: 'Day' } }])
})

test('one is deleted only when that is confirmed', async () => {
  const { asked, send } = open()
  await settle()
  send({ type: 'delete.requested', alert })
  send({ type: 'dialog.closed' })
  send({ type: 'delete.requested', alert })
  send({ type: 'delete.confirmed' })
  await settle()
  expect(asked).toEqual(['list', 'remove a1', 'list'])
})

test.each([
  ['only that it was sent', ok({ items: [] }), { items: [], code: undefined }],
  [
    'the result of each address',
    ok({ items: [{ kind: 'mail', address: 'a@b.c', sent: false, failureReason: 'NO_MAIL_SERVER' }] }),
    { items: [{ kind: 'mail', address: 'a@b.c', sent: false, failureReason: 'NO_MAIL_SERVER' }], code: undefined },
  ],
  ['why it was refused', refused(429, 'TooManyRequests'), { items: [], code: 'TooManyRequests' }],
])('a test says %s', async (_what, reply, expected) => {
  const { asked, send, context } = open([], reply)
  send({ type: 'test.requested', alert })
  send({ type: 'test.requested', alert })
  await settle()
  const { id, items, apiError } = context().testResult
  expect(asked.filter((what) => what.startsWith('test'))).toEqual(['test a1'])
  expect({ id, items, code: apiError?.code }).toEqual({ id: 'a1', ...expected })
})

test.each([
  [{ ok: true, address: '{"endpoint":"https://push.example/"}' }, '{"endpoint":"https://push.example/"}', null],
  [{ ok: false, reason: 'denied' }, '', 'denied'],
] satisfies [PushAnswer, string, string | null][])(
  'this browser subscribes only on request, and destinations edited meanwhile stay: %j',
  async (answer, address, refusal) => {
    const { asked, send, form, context, value } = open([], ok({ items: [] }), answer)
    send({ type: 'add.requested' })
    const push = { ...blankDestination, kind: 'push' }
    const mail = { ...blankDestination, address: 'a@b.c' }
    form().send({ type: 'form.edited', values: { to: [blankDestination, push] } })
    expect(asked).not.toContain('subscribe by key')
    send({ type: 'push.requested', key: 'key', index: 1 })
    form().send({ type: 'form.edited', values: { to: [mail, push] } })
    await settle()
    expect(asked).toContain('subscribe by key')
    expect(form().getSnapshot().context.values.to).toEqual([mail, { ...push, address }])
    expect(context().push.destination).toBe(push)
    expect([context().pushRefusal, value()]).toEqual([refusal, { dialog: { editing: 'typing' }, test: 'idle' }])
    send({ type: 'dialog.closed' })
    send({ type: 'add.requested' })
    expect(context().pushRefusal).toBe(null)
  },
)

test('the address of this browser reaches its destination, also if another one is removed meanwhile', async () => {
  const address = '{"endpoint":"https://push.example/"}'
  const { send, form } = open([], ok({ items: [] }), { ok: true, address })
  send({ type: 'add.requested' })
  const push = { ...blankDestination, kind: 'push' }
  const other = { ...push, address: 'other' }
  form().send({ type: 'form.edited', values: { to: [blankDestination, push, other] } })
  send({ type: 'push.requested', key: 'key', index: 1 })
  form().send({ type: 'form.edited', values: { to: [push, other] } })
  await settle()
  expect(form().getSnapshot().context.values.to).toEqual([{ ...push, address }, other])
})

test('every edge of the chart is walked', () => {
  const own = {
    'add.requested': [{ type: 'add.requested' }],
    'edit.requested': [{ type: 'edit.requested', alert }],
    'delete.requested': [{ type: 'delete.requested', alert }],
    'delete.confirmed': [{ type: 'delete.confirmed' }],
    'dialog.closed': [{ type: 'dialog.closed' }],
    'test.requested': [{ type: 'test.requested', alert }],
    'push.requested': [{ type: 'push.requested', key: 'key', index: 0 }],
    'page.missing': [{ type: 'page.missing' }],
    'form.saved': [{ type: 'form.saved', answer: {}, values: blankAlert }],
  } satisfies { [Type in AlertsEvent['type']]: Extract<AlertsEvent, { type: Type }>[] }
  const walked = walkEdges(alertsMachine, {
    model: alertsMachine.provide({
      actions: {
        notifyMissing: () => undefined,
        notifySaved: () => undefined,
        remove: () => undefined,
        assignPush: () => undefined,
        handlePush: () => undefined,
      },
    }),
    input: pageInput(),
    events: [
      ...Object.values(own).flat(),
      { type: 'xstate.done.actor.testAlert', output: ok({ items: [] }) },
      { type: 'xstate.done.actor.subscribe', output: { ok: false, reason: 'denied' } },
      { type: 'xstate.error.actor.subscribe', error: new Error('not provided') },
      { type: 'xstate.error.actor.testAlert', error: new Error('not provided') },
    ],
    name: ({ value }) => JSON.stringify(value),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
