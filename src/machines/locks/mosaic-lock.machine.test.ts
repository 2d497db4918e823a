import { fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import type { Reply } from '../../api/reply.ts'
import { noAnswer, ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { LockOutcomes } from './lock-each.ts'
import {
  type MosaicLockEvent,
  mosaicLockFormMachine,
  mosaicLockMachine,
  type MosaicLockValues,
} from './mosaic-lock.machine.ts'

const range = { from: Date.UTC(2026, 10, 21, 8), to: Date.UTC(2026, 10, 21, 9) }
const cameras = [
  { uid: 'gate', name: 'Gate', mayLock: true },
  { uid: 'yard', name: 'Yard', mayLock: true },
  { uid: 'hall', name: 'Hall', mayLock: false },
]
const values: MosaicLockValues = { uids: ['gate', 'yard'], ...range, reason: 'Theft', days: '30' }

/** The dialog for a range of cameras, in front of a server that gives these answers in turn. */
function open(replies: Reply<LockOutcomes>[]) {
  const sent: MosaicLockValues[] = []
  const page = openPage(
    mosaicLockMachine.provide({
      actors: {
        form: mosaicLockFormMachine.provide({
          actors: {
            submit: fromPromise(async ({ input }) => {
              sent.push(input.values)
              return replies.shift() ?? refused(500, 'InternalServerError')
            }),
          },
        }),
      },
    }),
    pageInput(),
  )
  page.send({ type: 'lock.requested', range, cameras } satisfies MosaicLockEvent)
  const { form } = page.ref.getSnapshot().children
  const edit = (edited: Partial<MosaicLockValues>) => form.send({ type: 'form.edited', values: edited })
  const submit = async () => {
    form.send({ type: 'form.submitted' })
    await settle()
    page.clock.increment(300)
  }
  edit({ reason: 'Theft', days: '30' })
  return { ...page, sent, form, edit, submit }
}

test('the cameras that the user may lock are locked, and a toast says how many', async () => {
  const { sent, submit, value, toasts } = open([ok({ gate: null, yard: null })])
  await submit()
  expect({ sent, value: value(), toasts: toasts() }).toEqual({
    sent: [values],
    value: 'closed',
    toasts: [{ tone: 'success', code: 'recordingsLocked', values: { count: '2' } }],
  })
})

test('the toast of a single camera has the words of the player', async () => {
  const { edit, submit, toasts } = open([ok({ gate: null })])
  edit({ uids: ['gate'] })
  await submit()
  expect(toasts()).toEqual([{ tone: 'success', code: 'recordingLocked', values: {} }])
})

test('the dialog stays open for the cameras that were refused, and the next try locks only these', async () => {
  const { sent, submit, value, context, toasts } = open([ok({ gate: null, yard: noAnswer }), ok({ yard: null })])
  await submit()
  const first = { value: value(), outcomes: context().outcomes, toasts: toasts() }
  await submit()
  expect({ first, sent, value: value(), toasts: toasts() }).toEqual({
    first: { value: 'drafting', outcomes: { gate: null, yard: noAnswer }, toasts: [] },
    sent: [values, { ...values, uids: ['yard'] }],
    value: 'closed',
    toasts: [{ tone: 'success', code: 'recordingsLocked', values: { count: '2' } }],
  })
})

test('without a camera nothing is sent, and an error of the reason is shown beside it', async () => {
  const details = { reason: 'Too short' }
  const { sent, form, edit, submit, value } = open([
    { ok: false, apiError: { ...noAnswer, status: 400, code: 'ValidationError', details } },
  ])
  edit({ uids: [] })
  await submit()
  const errors = [form.getSnapshot().context.errors]
  edit({ uids: ['yard'] })
  await submit()
  errors.push(form.getSnapshot().context.errors)
  expect({ errors, sent, value: value() }).toEqual({
    errors: [{ uids: 'empty' }, details],
    sent: [{ ...values, uids: ['yard'] }],
    value: 'drafting',
  })
})

test('what an earlier dialog tried is forgotten', async () => {
  const { submit, send, context } = open([ok({ gate: null, yard: noAnswer })])
  await submit()
  send({ type: 'dialog.closed' })
  send({ type: 'lock.requested', range, cameras })
  expect(context()).toEqual({ range, cameras, outcomes: {} })
})

test('every edge of the chart is walked', () => {
  const own = {
    'lock.requested': [{ type: 'lock.requested', range, cameras }],
    'dialog.closed': [{ type: 'dialog.closed' }],
    'form.saved': [
      { type: 'form.saved', answer: { gate: null }, values },
      { type: 'form.saved', answer: { gate: noAnswer }, values },
    ],
  } satisfies { [Type in MosaicLockEvent['type']]: Extract<MosaicLockEvent, { type: Type }>[] }
  const walked = walkEdges(mosaicLockMachine, {
    model: mosaicLockMachine.provide({
      actions: { notifyLocked: () => undefined, chooseRefused: () => undefined },
    }),
    events: Object.values(own).flat(),
    name: ({ value }) => JSON.stringify(value),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
