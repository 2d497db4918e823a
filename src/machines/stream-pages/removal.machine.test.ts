import { expect, test } from 'vitest'
import { createActor, fromPromise, setup } from 'xstate'
import { noAnswer, ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { Reply } from '../../api/reply.ts'
import { notificationsMachine } from '../notifications/notifications.machine.ts'
import { type RemovalEvent, removalMachine } from './removal.machine.ts'

const heldByLocks: Reply<object> = {
  ok: false,
  apiError: { ...noAnswer, status: 409, code: 'ActionNotAcceptable', details: { locks: [{ reason: 'Theft' }, {}] } },
}

function start(...replies: Reply<object>[]) {
  const calls: object[] = []
  const received: string[] = []
  const removal = removalMachine.provide({
    actors: {
      remove: fromPromise(async ({ input }) => {
        calls.push(input)
        return replies.shift() ?? refused(500, '')
      }),
    },
  })
  const parent = setup({ actors: { removal, notifications: notificationsMachine } }).createMachine({
    invoke: [
      { id: 'notifications', systemId: 'notifications', src: 'notifications' },
      { id: 'removal', src: 'removal', input: { uid: 'gate' } },
    ],
    on: { '*': { actions: ({ event }) => received.push(event.type) } },
  })
  const actor = createActor(parent).start()
  return {
    calls,
    received,
    send: (...events: RemovalEvent[]) => events.forEach((event) => actor.getSnapshot().children.removal?.send(event)),
    value: () => actor.getSnapshot().children.removal?.getSnapshot().value,
    toasts: () =>
      actor
        .getSnapshot()
        .children.notifications?.getSnapshot()
        .context.shown.map(({ tone, code }) => [tone, code]),
    lockReasons: () => actor.getSnapshot().children.removal?.getSnapshot().context.lockReasons,
  }
}

test('deletes only after a confirmation, with the archive unless it is kept, and reports the end', async () => {
  const { calls, received, send } = start(ok({}))
  send(
    { type: 'removal.confirmed' },
    { type: 'removal.requested' },
    { type: 'removal.purgeChosen', withArchive: false },
    { type: 'removal.cancelled' },
  )
  send({ type: 'removal.requested' }, { type: 'removal.confirmed' })
  await settle()
  expect([calls, received]).toEqual([
    [{ uid: 'gate', purge: true, unlock: false }],
    ['removal.started', 'stream.removed'],
  ])
})

test("an error leaves the dialog open; a stream that doesn't exist is gone, and a toast says so", async () => {
  const refusing = start(refused(403, 'Forbidden'))
  refusing.send(
    { type: 'removal.requested' },
    { type: 'removal.purgeChosen', withArchive: false },
    { type: 'removal.confirmed' },
  )
  await settle()
  expect([refusing.calls, refusing.received, refusing.value()]).toEqual([
    [{ uid: 'gate', purge: false, unlock: false }],
    ['removal.started', 'removal.failed'],
    'confirming',
  ])
  const gone = start(refused(404, 'NotFound'))
  gone.send({ type: 'removal.requested' }, { type: 'removal.confirmed' })
  await settle()
  expect(gone.received).toEqual(['removal.started', 'stream.removed'])
  expect([refusing.toasts(), gone.toasts()]).toEqual([[['error', 'Forbidden']], [['error', 'NotFound']]])
})

test('locked recordings are named, and deleted only after another confirmation', async () => {
  const { calls, received, send, value, lockReasons } = start(heldByLocks, ok({}))
  send({ type: 'removal.requested' }, { type: 'removal.confirmed' })
  await settle()
  expect([value(), lockReasons()]).toEqual(['confirmingLocked', ['Theft']])
  send({ type: 'removal.confirmed' })
  await settle()
  expect(calls).toEqual([
    { uid: 'gate', purge: true, unlock: false },
    { uid: 'gate', purge: true, unlock: true },
  ])
  expect(received).toEqual(['removal.started', 'removal.failed', 'removal.started', 'stream.removed'])
})

test('every edge of the chart is walked', () => {
  const own = {
    'removal.requested': [{ type: 'removal.requested' }],
    'removal.purgeChosen': [{ type: 'removal.purgeChosen', withArchive: false }],
    'removal.confirmed': [{ type: 'removal.confirmed' }],
    'removal.cancelled': [{ type: 'removal.cancelled' }],
  } satisfies { [Type in RemovalEvent['type']]: Extract<RemovalEvent, { type: Type }>[] }
  const walked = walkEdges(removalMachine, {
    model: removalMachine.provide({
      actions: {
        notifyStarted: () => undefined,
        notifyStopped: () => undefined,
        notifyRemoved: () => undefined,
        notifyFailed: () => undefined,
      },
    }),
    input: { uid: 'gate' },
    events: [
      ...Object.values(own).flat(),
      { type: 'xstate.done.actor.remove', output: ok({}) },
      { type: 'xstate.done.actor.remove', output: heldByLocks },
      { type: 'xstate.done.actor.remove', output: refused(500, 'InternalServerError') },
      { type: 'xstate.error.actor.remove', error: new Error('broken') },
    ],
    name: ({ value }) => JSON.stringify(value),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
