import { fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { ok, settingsOf } from '../../../tests/fixtures/replies.ts'
import type { EventPage } from '../../api/contract/events.ts'
import type { EventFilter } from '../../api/resources/events.ts'
import { unknownApiError } from '../api-errors.ts'
import { noFilter } from './event-filter.ts'
import { eventListMachine, type EventPreferences, eventsMachine } from './events.machine.ts'

const page: EventPage = { items: [], page: 1, pageSize: 50, total: 0 }

const open = (search: string, readPreferences: (serverZone: string) => Promise<EventPreferences>) => {
  const asked: EventFilter[] = []
  const shown: EventFilter[] = []
  const opened = openPage(
    eventsMachine.provide({
      actors: {
        readPreferences: fromPromise(({ input }) => readPreferences(input)),
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
    {
      ...pageInput(),
      settings: settingsOf({ timezone: 'Asia/Tokyo' }),
      address: { pathname: '/events', search, hash: '' },
    },
  )
  return { ...opened, asked, shown }
}

test('the filter of the address is requested', async () => {
  const { asked, shown, context } = open('?label=car', async (zone) => ({ search: '?label=person', zone }))
  await settle()
  expect({ asked, shown, zone: context().zone }).toEqual({
    asked: [{ ...noFilter, label: 'car' }],
    shown: [],
    zone: 'Asia/Tokyo',
  })
})

test('without a filter the last one is restored, in the address too', async () => {
  const { asked, shown, context, received } = open('', async (zone) => ({ search: '?type=line', zone }))
  await settle()
  const filter = { ...noFilter, type: 'line' }
  expect({ asked, shown, zone: context().zone }).toEqual({ asked: [filter], shown: [filter], zone: 'Asia/Tokyo' })
  context().list.send({ type: 'query.changed', query: noFilter })
  await settle()
  expect(asked).toEqual([filter, noFilter])
  expect(received).toEqual([])
})

test('preferences that cannot be read are an error of the page, which can be retried', async () => {
  let isBroken = true
  const { asked, context, value, toasts, send } = open('?label=car', async (zone) => {
    if (isBroken) throw new Error('no polyfill')
    return { search: '', zone }
  })
  await settle()
  expect({ value: value(), asked, apiError: context().apiError, toasts: toasts() }).toEqual({
    value: 'failed',
    asked: [],
    apiError: unknownApiError,
    toasts: [{ tone: 'error', code: '', values: {} }],
  })
  isBroken = false
  send({ type: 'resource.retried' })
  await settle()
  expect({ value: value(), asked, apiError: context().apiError, zone: context().zone }).toEqual({
    value: 'shown',
    asked: [{ ...noFilter, label: 'car' }],
    apiError: null,
    zone: 'Asia/Tokyo',
  })
})

test('the list is polled', async () => {
  const { asked, clock } = open('', async (zone) => ({ search: '', zone }))
  await settle()
  clock.increment(15_000)
  await settle()
  expect(asked).toEqual([noFilter, noFilter])
})

test('every edge of the chart is walked', () => {
  const model = eventsMachine.provide({ actions: { notifyMissing: () => undefined, open: () => undefined } })
  const walks = ['', '?label=car'].map((search) =>
    walkEdges(eventsMachine, {
      model,
      input: { ...pageInput(), address: { pathname: '/events', search, hash: '' } },
      events: [
        {
          type: 'xstate.done.actor.readPreferences',
          actorId: 'readPreferences',
          output: { search: '?label=car', zone: 'Europe/Berlin' },
        },
        { type: 'xstate.error.actor.readPreferences', actorId: 'readPreferences', error: new Error('no storage') },
        { type: 'page.missing' },
        { type: 'resource.retried' },
      ],
      name: ({ value }) => String(value),
    }),
  )
  expect(walks.flatMap(({ strayed }) => strayed)).toEqual([])
  expect(new Set(walks.flatMap(({ covered }) => [...covered]))).toEqual(new Set(walks[0]?.declared))
})
