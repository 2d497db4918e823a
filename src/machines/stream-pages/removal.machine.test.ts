import { expect, test } from 'vitest'
import { createActor, fromPromise, setup } from 'xstate'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { Reply } from '../../api/reply.ts'
import { type RemovalEvent, removalMachine } from './removal.machine.ts'

function start(reply: Reply<object>) {
  const calls: object[] = []
  const heard: string[] = []
  const removal = removalMachine.provide({
    actors: {
      remove: fromPromise(async ({ input }) => {
        calls.push(input)
        return reply
      }),
    },
  })
  const parent = setup({ actors: { removal } }).createMachine({
    invoke: { id: 'removal', src: 'removal', input: { uid: 'gate' } },
    on: { '*': { actions: ({ event }) => heard.push(event.type) } },
  })
  const actor = createActor(parent).start()
  return {
    calls,
    heard,
    send: (...events: RemovalEvent[]) => events.forEach((event) => actor.getSnapshot().children.removal?.send(event)),
    value: () => actor.getSnapshot().children.removal?.getSnapshot().value,
  }
}

test('deletes only what is confirmed, the archive with it unless that is kept, and tells how it ended', async () => {
  const { calls, heard, send } = start(ok({}))
  send(
    { type: 'removal.confirmed' },
    { type: 'removal.requested' },
    { type: 'removal.purgeChosen', isPurging: false },
    { type: 'removal.cancelled' },
  )
  send({ type: 'removal.requested' }, { type: 'removal.confirmed' })
  await settle()
  expect([calls, heard]).toEqual([[{ uid: 'gate', purge: true }], ['removal.started', 'stream.removed']])
})

test('an error leaves the dialog open; a stream that is already gone is removed', async () => {
  const refusing = start(refused(403, 'Forbidden'))
  refusing.send(
    { type: 'removal.requested' },
    { type: 'removal.purgeChosen', isPurging: false },
    { type: 'removal.confirmed' },
  )
  await settle()
  expect([refusing.calls, refusing.heard, refusing.value()]).toEqual([
    [{ uid: 'gate', purge: false }],
    ['removal.started', 'removal.failed'],
    'confirming',
  ])
  const gone = start(refused(404, 'NotFound'))
  gone.send({ type: 'removal.requested' }, { type: 'removal.confirmed' })
  await settle()
  expect(gone.heard).toEqual(['removal.started', 'stream.removed'])
})

test('every edge of the chart is walked', () => {
  const own = {
    'removal.requested': [{ type: 'removal.requested' }],
    'removal.purgeChosen': [{ type: 'removal.purgeChosen', isPurging: false }],
    'removal.confirmed': [{ type: 'removal.confirmed' }],
    'removal.cancelled': [{ type: 'removal.cancelled' }],
  } satisfies { [Type in RemovalEvent['type']]: Extract<RemovalEvent, { type: Type }>[] }
  const walked = walkEdges(removalMachine, {
    model: removalMachine.provide({
      actions: { tellStarted: () => undefined, tellRemoved: () => undefined, tellFailed: () => undefined },
    }),
    input: { uid: 'gate' },
    events: [
      ...Object.values(own).flat(),
      { type: 'xstate.done.actor.remove', output: ok({}) },
      { type: 'xstate.done.actor.remove', output: refused(500, 'InternalServerError') },
      { type: 'xstate.error.actor.remove', error: new Error('broken') },
    ],
    name: ({ value }) => JSON.stringify(value),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
