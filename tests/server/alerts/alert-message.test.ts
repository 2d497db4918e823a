import { expect, test } from 'vitest'
import { alertTextOf } from '../../../server/alerts/alert-text.ts'
import { isAbout } from '../../../server/alerts/grouping.ts'
import type { Happening } from '../../../server/alerts/happenings.ts'
import { pushKeyOf } from '../../../server/alerts/push.ts'
import { createSend } from '../../../server/alerts/send.ts'
import { startServer } from '../fixtures/harness.ts'
import { receiver } from './alert-server.ts'

test('a webhook gets everything that is known of a happening', async () => {
  const { address, calls } = await receiver()
  const { context } = await startServer()
  const send = createSend({ ...context, allowsLoopback: () => true, pushKey: pushKeyOf(Buffer.alloc(32, 1)) })
  const known = {
    on: 'disk.full',
    streamId: 'c1',
    streamName: 'Gate',
    nodeName: 'b',
    volume: '/disks/2',
    reason: 'DISK_SPACE',
    label: 'person',
    count: 2,
  } as const
  const happenings: Required<Happening>[] = [{ ...known, isOver: true, time: 1000 }]
  const message = { id: 'm1', alert: 'a1', name: 'Night', kind: 'webhook', address, secret: '', total: 1 } as const
  expect(await send({ ...message, happenings }, AbortSignal.timeout(60_000))).toEqual({ isSent: true })
  expect(calls[0]?.body['items']).toEqual([{ ...known, over: true, time: '1970-01-01T00:00:01.000Z' }])
})

test.each([
  ['ru', 'line crossing', 'Site: пересечение линии: Gate'],
  ['ru', '', 'Site: событие: Gate'],
  ['ru', 'constructor', 'Site: constructor: Gate'],
  ['en', 'line crossing', 'Site: line crossing: Gate'],
  ['en', '', 'Site: event: Gate'],
])("in %s an event of the label '%s' is named %s", (language, label, subject) => {
  const happenings: Happening[] = [{ on: 'event', streamId: 'c1', streamName: 'Gate', label, time: 0 }]
  expect(alertTextOf({ alert: 'Night', total: 1, happenings }, { title: 'Site', language }).subject).toBe(subject)
})

test('an alert of a label is about its events, whatever the case', () => {
  const rule = { on: ['event' as const], streams: [], labels: ['Person'], quietMinutes: 0, to: [], quietHours: null }
  const labels = ['person', 'PERSON', 'people']
  const found = labels.filter((label) =>
    isAbout({ id: 'a1', name: 'Night', ...rule }, { streamId: 'c1', streamName: 'Gate', label, time: 0 }),
  )
  expect(found).toEqual(['person', 'PERSON'])
})
