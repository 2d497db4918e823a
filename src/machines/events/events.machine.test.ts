import { fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { ok } from '../../../tests/fixtures/replies.ts'
import type { EventPage } from '../../api/contract/events.ts'
import type { EventFilter } from '../../api/resources/events.ts'
import { noFilter } from './event-filter.ts'
import { eventListMachine, eventsMachine } from './events.machine.ts'

const page: EventPage = { items: [], page: 1, pageSize: 50, total: 0 }

const open = (search: string, readLastFilter: () => Promise<string>) => {
  const asked: EventFilter[] = []
  const shown: EventFilter[] = []
  const opened = openPage(
    eventsMachine.provide({
      actors: {
        readLastFilter: fromPromise(readLastFilter),
        list: eventListMachine.provide({
          actors: {
            fetchResource: fromPromise(async ({ input }) => {
              asked.push(input.query)
              return ok(page)
            }),
          },
        }),
      },
      actions: { writeFilter: (_args, { filter }) => void shown.push(filter) },
    }),
    { ...pageInput(), address: { pathname: '/events', search, hash: '' } },
  )
  return { ...opened, asked, shown }
}

test('the filter of the address is requested', async () => {
  const { asked, shown } = open('?label=car', async () => '?label=person')
  await settle()
  expect({ asked, shown }).toEqual({ asked: [{ ...noFilter, label: 'car' }], shown: [] })
})

test('without a filter the last one is restored, in the address too', async () => {
  const { asked, shown, context, received } = open('', async () => '?type=line')
  await settle()
  const filter = { ...noFilter, type: 'line' }
  expect({ asked, shown }).toEqual({ asked: [filter], shown: [filter] })
  context().list.send({ type: 'query.changed', query: noFilter })
  await settle()
  expect(asked).toEqual([filter, noFilter])
  expect(received).toEqual([])
})

test('the list is polled', async () => {
  const { asked, clock } = open('', () => Promise.reject(new Error('no storage')))
  await settle()
  clock.increment(15_000)
  await settle()
  expect(asked).toEqual([noFilter, noFilter])
})

test('every edge of the chart is walked', () => {
  const walked = walkEdges(eventsMachine, {
    model: eventsMachine.provide({ actions: { notifyMissing: () => undefined, open: () => undefined } }),
    input: pageInput(),
    events: [
      { type: 'xstate.done.actor.readLastFilter', actorId: 'readLastFilter', output: '?label=car' },
      { type: 'xstate.error.actor.readLastFilter', actorId: 'readLastFilter', error: new Error('no storage') },
      { type: 'page.missing' },
    ],
    name: ({ value }) => String(value),
  })
  const filtered = walkEdges(eventsMachine, {
    model: eventsMachine.provide({ actions: { notifyMissing: () => undefined, open: () => undefined } }),
    input: { ...pageInput(), address: { pathname: '/events', search: '?label=car', hash: '' } },
    events: [{ type: 'page.missing' }],
    name: ({ value }) => String(value),
  })
  expect([...walked.strayed, ...filtered.strayed]).toEqual([])
  expect(new Set([...walked.covered, ...filtered.covered])).toEqual(new Set(walked.declared))
})
