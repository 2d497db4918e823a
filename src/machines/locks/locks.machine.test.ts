import { fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import { ArchiveLock } from '../../api/contract/locks.ts'
import type { Reply } from '../../api/reply.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { lockFormMachine, locksMachine, type LocksEvent, type LockValues } from './locks.machine.ts'
import { selectCanLock } from './locks.selectors.ts'

const range = { from: Date.UTC(2026, 10, 21, 8), to: Date.UTC(2026, 10, 21, 9) }
const lock = ArchiveLock.parse({
  id: 'l1',
  startTime: '2026-11-21T08:00:00.000Z',
  endTime: '2026-11-21T09:00:00.000Z',
  reason: 'Theft',
})
const values: LockValues = { uid: 'gate', ...range, reason: 'Theft', days: '30' }

const open = (removals: Reply<object>[] = [], lists: Reply<ArchiveLock[]>[] = []) => {
  const asked: string[] = []
  const sent: LockValues[] = []
  const page = openPage(
    locksMachine.provide({
      actors: {
        form: lockFormMachine.provide({
          actors: {
            submit: fromPromise(async ({ input }) => {
              sent.push(input.values)
              return ok(lock)
            }),
          },
        }),
        fetchLocks: fromPromise(async ({ input }) => {
          asked.push(input.uid)
          return lists.shift() ?? ok([lock])
        }),
        removeLock: fromPromise(async ({ input }) => {
          asked.push(`remove ${input.id}`)
          return removals.shift() ?? ok({})
        }),
      },
    }),
    Object.assign(pageInput(), { uid: 'gate' }),
  )
  const send = (...events: LocksEvent[]) => {
    for (const event of events) page.ref.send(event)
  }
  return { ...page, asked, sent, send }
}

test('locks are fetched every minute if the user may administer the stream', async () => {
  const { asked, clock, context, send, value } = open()
  await settle()
  expect([asked, value()]).toEqual([[], { list: 'closed', dialog: 'closed' }])
  send({ type: 'rights.changed', canAdmin: true }, { type: 'rights.changed', canAdmin: true })
  await settle()
  expect([asked, context().locks]).toEqual([['gate'], [lock]])
  clock.increment(60_000)
  await settle()
  expect(asked).toEqual(['gate', 'gate'])
  send({ type: 'rights.changed', canAdmin: false })
  expect([context().locks, value().list]).toEqual([[], 'closed'])
})

test('locks are not fetched while the page is hidden', async () => {
  const { asked, clock, send } = open()
  send({ type: 'rights.changed', canAdmin: true })
  await settle()
  send({ type: 'page.hidden' })
  clock.increment(600_000)
  await settle()
  expect(asked).toEqual(['gate'])
  send({ type: 'page.shown' })
  await settle()
  expect(asked).toEqual(['gate', 'gate'])
})

test('the selection is locked with its reason, a toast says so, and the list is fetched again', async () => {
  const { asked, sent, send, ref, value, toasts } = open()
  send({ type: 'rights.changed', canAdmin: true }, { type: 'lock.requested', range })
  await settle()
  const { form } = ref.getSnapshot().children
  form.send({ type: 'form.edited', values: { reason: 'Theft', days: '30' } })
  form.send({ type: 'form.submitted' })
  await settle()
  expect({ sent, asked, dialog: value().dialog, toasts: toasts() }).toEqual({
    sent: [values],
    asked: ['gate', 'gate'],
    dialog: 'closed',
    toasts: [{ tone: 'success', code: 'recordingLocked', values: {} }],
  })
})

test('a lock is removed only after a confirmation; an error keeps it, a missing one counts as removed', async () => {
  const { asked, send, context, value } = open([refused(503, 'Unavailable'), refused(404, 'NotFound')])
  send({ type: 'rights.changed', canAdmin: true }, { type: 'list.requested' })
  await settle()
  send({ type: 'unlock.requested', lock }, { type: 'unlock.cancelled' }, { type: 'unlock.requested', lock })
  expect([asked, value().dialog]).toEqual([['gate'], 'confirming'])
  send({ type: 'unlock.confirmed' })
  await settle()
  expect([value().dialog, context().unlockApiError?.code]).toEqual(['confirming', 'Unavailable'])
  send({ type: 'unlock.confirmed' })
  await settle()
  expect([asked, value().dialog]).toEqual([['gate', 'remove l1', 'remove l1', 'gate'], 'listing'])
})

test('the dialog closes if the right to administer the stream is withdrawn', async () => {
  const { send, context, value } = open([], [refused(503, 'Unavailable')])
  send({ type: 'rights.changed', canAdmin: true }, { type: 'list.requested' })
  await settle()
  send({ type: 'rights.changed', canAdmin: true })
  expect([value().dialog, context().apiError?.code]).toEqual(['listing', 'Unavailable'])
  send({ type: 'rights.changed', canAdmin: false })
  expect([value(), context().apiError]).toEqual([{ list: 'closed', dialog: 'closed' }, null])
})

test('nobody may lock before their right to the stream is known', () => {
  expect(selectCanLock(undefined)).toBe(false)
})

test('every edge of the chart is walked', () => {
  const own = {
    'rights.changed': [
      { type: 'rights.changed', canAdmin: true },
      { type: 'rights.changed', canAdmin: false },
    ],
    'lock.requested': [{ type: 'lock.requested', range }],
    'list.requested': [{ type: 'list.requested' }],
    'list.retried': [{ type: 'list.retried' }],
    'list.outdated': [{ type: 'list.outdated' }],
    'dialog.closed': [{ type: 'dialog.closed' }],
    'unlock.requested': [{ type: 'unlock.requested', lock }],
    'unlock.confirmed': [{ type: 'unlock.confirmed' }],
    'unlock.cancelled': [{ type: 'unlock.cancelled' }],
    'page.hidden': [{ type: 'page.hidden' }],
    'page.shown': [{ type: 'page.shown' }],
    'form.saved': [{ type: 'form.saved', answer: lock, values }],
  } satisfies { [Type in LocksEvent['type']]: Extract<LocksEvent, { type: Type }>[] }
  const walked = walkEdges(locksMachine, {
    model: locksMachine.provide({ actions: { notifyLocked: () => undefined } }),
    input: { uid: 'gate' },
    events: [
      ...Object.values(own).flat(),
      { type: 'xstate.done.actor.fetchLocks', output: ok([lock]) },
      { type: 'xstate.done.actor.fetchLocks', output: refused(503, 'Unavailable') },
      { type: 'xstate.error.actor.fetchLocks', error: new Error('broken') },
      { type: 'xstate.done.actor.removeLock', output: ok({}) },
      { type: 'xstate.done.actor.removeLock', output: refused(503, 'Unavailable') },
      { type: 'xstate.error.actor.removeLock', error: new Error('broken') },
      { type: 'xstate.after.refreshInterval.locks.list.open.settled' },
    ],
    name: ({ value }) => JSON.stringify(value),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
