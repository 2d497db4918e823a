import { fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { ok } from '../../../tests/fixtures/replies.ts'
import type { EventPage } from '../../api/contract/events.ts'
import type { EventFilter } from '../../api/resources/events.ts'
import { everything } from './event-filter.ts'
import { eventListMachine, eventsMachine } from './events.machine.ts'

const page: EventPage = { items: [], page: 1, pageSize: 50, total: 0 }

const open = (search: string, recall: () => Promise<string>) => {
  const asked: EventFilter[] = []
  const shown: EventFilter[] = []
  const opened = openPage(
    eventsMachine.provide({
      actors: {
        recall: fromPromise(recall),
        list: eventListMachine.provide({
          actors: {
            fetchResource: fromPromise(async ({ input }) => {
              asked.push(input.query)
              return ok(page)
            }),
          },
        }),
      },
      actions: { showFilter: (_args, { filter }) => void shown.push(filter) },
    }),
    { ...pageInput(), address: { pathname: '/events', search, hash: '' } },
  )
  return { ...opened, asked, shown }
}

test('an address with a filter is asked for as it is', async () => {
  const { asked, shown } = open('?label=car', async () => '?label=person')
  await settle()
  expect({ asked, shown }).toEqual({ asked: [{ ...everything, label: 'car' }], shown: [] })
})

test('one without takes up the last filter, and shows it', async () => {
  const { asked, shown, context, received } = open('', async () => '?type=line')
  await settle()
  const filter = { ...everything, type: 'line' }
  expect({ asked, shown }).toEqual({ asked: [filter], shown: [filter] })
  context().list.send({ type: 'query.changed', query: everything })
  await settle()
  expect(asked).toEqual([filter, everything])
  expect(received).toEqual([])
})

test('it is asked for again after a while', async () => {
  const { asked, clock } = open('', () => Promise.reject(new Error('no storage')))
  await settle()
  clock.increment(15_000)
  await settle()
  expect(asked).toEqual([everything, everything])
})

test('every edge of the chart is walked', () => {
  const walked = walkEdges(eventsMachine, {
    model: eventsMachine.provide({ actions: { notifyMissing: () => undefined, open: () => undefined } }),
    input: pageInput(),
    events: [
      { type: 'xstate.done.actor.recall', actorId: 'recall', output: '?label=car' },
      { type: 'xstate.error.actor.recall', actorId: 'recall', error: new Error('no storage') },
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
