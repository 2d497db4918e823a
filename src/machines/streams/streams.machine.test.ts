import { describe, expect, test } from 'vitest'
import { ok, refused, streamOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { inputOf, pageOf, start, table } from '../../../tests/machines/streams-page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { defaultPreferences } from './preferences.ts'
import { pollMachine } from '../polling/poll.machine.ts'
import type { StreamsEvent } from './streams.events.ts'
import { streamsMachine } from './streams.machine.ts'

describe('pages are loaded on scrolling', () => {
  test('the first at once, then those in sight and a screen above and below', async () => {
    const { asked, clock, view, context } = start({ stored: table })
    view(0)
    await settle()
    await settle()
    expect(asked).toEqual(['1', '2'])
    view(2000)
    clock.increment(80)
    await settle()
    expect({ asked, pages: Object.keys(context().listing?.pages ?? {}) }).toEqual({
      asked: ['1', '2', '6,5,7'],
      pages: ['1', '2', '5', '6', '7'],
    })
  })

  test('a request for pages out of sight is cancelled, and scrolling requests pages only once it rests', async () => {
    const { answers, asked, aborted, clock, view } = start({ stored: table })
    view(0)
    await settle()
    await settle()
    answers.page = () => new Promise(() => undefined)
    view(1600)
    clock.increment(80)
    for (const top of [2000, 2400, 2800, 3200]) view(top)
    expect({ asked: asked.slice(2), aborted: aborted.slice(-1) }).toEqual({ asked: ['5,4,6'], aborted: ['5,4,6'] })
    clock.increment(80)
    expect(asked.at(-1)).toBe('9,8,10')
  })

  test('every page of a row, if a row is longer than a page', async () => {
    const pairs = ({ page }: { page: number }) => {
      const items = [0, 1].map((index) => streamOf({ uid: `cam-${2 * page + index}` }))
      return ok({ items, page, pageSize: 2, total: 10 })
    }
    const { view, context } = start({ page: pairs })
    view(0)
    for (let turn = 0; turn < 6; turn += 1) await settle()
    expect(Object.keys(context().listing?.pages ?? {})).toEqual(['1', '2', '3', '4', '5'])
  })

  test("grouped, they are loaded in the server's order until the screen is full", async () => {
    const { asked, view } = start({ stored: { ...table, groupType: 'tag' } })
    view(0)
    for (let turn = 0; turn < 6; turn += 1) await settle()
    expect(asked).toEqual(['1', '2,3,4'])
  })
})

describe('a new query', () => {
  test('keeps the old list until it is answered, aborts the request in progress, and is stored', async () => {
    const { answers, aborted, written, addresses, send, view, context } = start()
    view(0)
    await settle()
    await settle()
    answers.page = ({ query }) =>
      query.searchingValues[0] === 'gate' ? new Promise(() => undefined) : ok(pageOf(1, 3))
    send({ type: 'search.added', value: 'gate' })
    expect(context()).toMatchObject({ isOutdated: true, listing: { total: 100 }, viewport: { top: 0 } })
    send({ type: 'search.added', value: 'north' })
    send({ type: 'search.removed', value: 'gate' })
    await settle()
    expect(aborted.slice(-2)).toEqual(['1', '1'])
    expect(context()).toMatchObject({ isOutdated: false, listing: { total: 3 } })
    expect(written.at(-1)).toEqual({ ...defaultPreferences, searchingValues: ['north'] })
    expect(addresses).toEqual(['', '?search=gate', '?search=gate&search=north', '?search=north'])
  })

  test('carries grouping, order, filter and search values', async () => {
    const queries: unknown[] = []
    const { send } = start({
      page: ({ query }) => {
        queries.push(query)
        return ok(pageOf(1, 3))
      },
    })
    await settle()
    for (const type of ['grouping.switched', 'availability.switched'] as const) send({ type })
    send({ type: 'sort.chosen', sortType: 'name' })
    send({ type: 'search.added', value: 'gate' })
    await settle()
    expect(queries.at(-1)).toEqual({
      groupType: 'tag',
      sortType: 'name',
      isOnlyAvailable: true,
      searchingValues: ['gate'],
    })
  })

  test('comes from the address at entry, and from a link followed later', async () => {
    const { written, send, context } = start(
      { stored: { ...table, searchingValues: ['roof'] } },
      '?group=tag&search=gate',
    )
    await settle()
    expect(context().view).toEqual({
      ...defaultPreferences,
      groupType: 'tag',
      searchingValues: ['gate'],
      sortType: 'date',
    })
    send({ type: 'address.changed', address: { pathname: '/streams', search: '?view=table', hash: '' } })
    expect(context()).toMatchObject({
      view: { viewModeKey: 'table', groupType: 'none', searchingValues: [] },
      isOutdated: true,
    })
    expect(written.at(-1)).toEqual({ ...defaultPreferences, viewModeKey: 'table' })
  })

  test('stores its order beside the preferences; the address has precedence', async () => {
    const kept = start({ storedSort: 'name' })
    await settle()
    kept.send({ type: 'sort.chosen', sortType: 'status' })
    const shared = start({ storedSort: 'name' }, '?search=gate')
    await settle()
    expect({ orders: kept.orders, addresses: kept.addresses, shared: shared.context().view.sortType }).toEqual({
      orders: ['status'],
      addresses: ['?sort=name', '?sort=status'],
      shared: 'date',
    })
  })

  test("isn't caused by a change of the view mode alone", async () => {
    const { asked, addresses, written, send } = start()
    await settle()
    send({ type: 'table.switched' })
    send({ type: 'panel.changed', isOpen: true })
    send({ type: 'search.added', value: ' ' })
    send({ type: 'address.changed', address: { pathname: '/streams', search: '', hash: '' } })
    expect(asked).toEqual(['1'])
    expect(written).toEqual([table, { ...table, isOpenAside: true }])
    expect(addresses.at(-1)).toBe('?view=table')
  })
})

describe('a failure', () => {
  test('keeps the list, retries with growing pauses, and at once on request', async () => {
    const { answers, asked, clock, send, snapshot } = start()
    await settle()
    answers.page = () => refused(500, 'InternalServerError')
    send({ type: 'availability.switched' })
    await settle()
    expect(snapshot().hasTag('error')).toBe(true)
    expect(snapshot().context).toMatchObject({
      listing: { total: 100 },
      isOutdated: true,
      apiError: { code: 'InternalServerError' },
    })
    clock.increment(2000)
    await settle()
    clock.increment(3999)
    expect(asked.length).toBe(3)
    clock.increment(1)
    expect(asked.length).toBe(4)
    await settle()
    answers.page = ({ page }) => ok(pageOf(page, 7))
    send({ type: 'list.retried' })
    await settle()
    expect(snapshot().context).toMatchObject({ listing: { total: 7 }, isOutdated: false, apiError: null })
  })

  test('keeps the pages that the same request loaded', async () => {
    const { answers, clock, view, context } = start({ stored: table })
    view(0)
    await settle()
    await settle()
    answers.page = ({ page }) => (page === 6 ? ok(pageOf(page, 100)) : refused(503, 'Unavailable'))
    view(2000)
    clock.increment(80)
    await settle()
    expect(Object.keys(context().listing?.pages ?? {})).toEqual(['1', '2', '6'])
  })

  test('is over once all pages in sight are loaded', async () => {
    const { answers, clock, view, snapshot } = start({ stored: table })
    view(0)
    await settle()
    await settle()
    answers.page = () => refused(503, 'Unavailable')
    view(2000)
    clock.increment(80)
    await settle()
    view(0)
    const before = snapshot().context.apiError?.code
    clock.increment(2000)
    await settle()
    clock.increment(80)
    await settle()
    expect([before, snapshot().context.apiError, snapshot().value]).toMatchObject([
      'Unavailable',
      null,
      { browsing: { pages: 'settled' } },
    ])
  })

  test('with 404 leads to the page Not found', async () => {
    const { received } = start({ page: () => refused(404, 'NotFound') })
    await settle()
    expect(received).toEqual([{ type: 'page.missing' }])
  })
})

test('every edge of the chart is walked', () => {
  const viewport = (top: number) => ({ top, height: 400, width: 1300 })
  const addressed = (search: string) => ({
    type: 'address.changed' as const,
    address: { pathname: '/streams', search, hash: '' },
  })
  const own = {
    'grouping.switched': [{ type: 'grouping.switched' }],
    'table.switched': [{ type: 'table.switched' }],
    'availability.switched': [{ type: 'availability.switched' }],
    'search.added': [{ type: 'search.added', value: 'gate' }],
    'search.removed': [{ type: 'search.removed', value: 'gate' }],
    'search.cleared': [{ type: 'search.cleared' }],
    'sort.chosen': [{ type: 'sort.chosen', sortType: 'name' }],
    'panel.changed': [{ type: 'panel.changed', isOpen: true }],
    'bulk.changed': [{ type: 'bulk.changed', streams: [streamOf({ uid: 'cam-1', status: 'paused' })] }],
    'bulk.ended': [{ type: 'bulk.ended' }],
    'list.viewed': [
      { type: 'list.viewed', viewport: viewport(0) },
      { type: 'list.viewed', viewport: viewport(2000) },
    ],
    'list.retried': [{ type: 'list.retried' }],
    'stream.pauseRequested': [{ type: 'stream.pauseRequested', uid: 'cam-1' }],
    'stream.resumeRequested': [{ type: 'stream.resumeRequested', uid: 'cam-2' }],
    'address.changed': [addressed('?search=gate'), addressed('?search=gate&view=table'), addressed('')],
    'poll.due': [{ type: 'poll.due' }],
    'poll.rested': [{ type: 'poll.rested' }],
  } satisfies { [Type in StreamsEvent['type']]: Extract<StreamsEvent, { type: Type }>[] }
  const broken = new Error('broken')
  const answered = (...pages: number[]) => pages.map((page) => ({ page, reply: ok(pageOf(page, 100)) }))
  const opened = [
    { type: 'xstate.done.actor.readStored', output: { stored: table, storedSort: null, width: 1440, height: 900 } },
    { type: 'xstate.done.actor.fetchPages', output: answered(1, 2) },
    { type: 'list.viewed', viewport: viewport(0) },
  ]
  const {
    'poll.due': due,
    'poll.rested': rested,
    'stream.pauseRequested': paused,
    'stream.resumeRequested': resumed,
    ...looked
  } = own
  const regions = {
    pages: [
      ...Object.values(looked).flat(),
      { type: 'xstate.error.actor.readStored', error: broken },
      { type: 'xstate.done.actor.fetchPages', output: [{ page: 1, reply: refused(404, 'NotFound') }] },
      { type: 'xstate.done.actor.fetchPages', output: [{ page: 1, reply: refused(500, 'InternalServerError') }] },
      { type: 'xstate.error.actor.fetchPages', error: broken },
      { type: 'xstate.after.scrollPause.streams.browsing.pages.settling' },
      { type: 'xstate.after.retryPause.streams.browsing.pages.failed' },
    ],
    refresh: [
      ...due,
      ...rested,
      ...own['list.retried'],
      ...own['bulk.ended'],
      { type: 'xstate.done.actor.refreshPages', output: { generation: 0, answers: answered(1) } },
      { type: 'xstate.done.actor.refreshPages', output: { generation: -1, answers: answered(1) } },
      { type: 'xstate.error.actor.refreshPages', error: broken },
    ],
    command: [
      ...paused,
      ...resumed,
      { type: 'xstate.done.actor.changeStatus', output: ok({ status: 'paused' }) },
      { type: 'xstate.done.actor.changeStatus', output: refused(403, 'Forbidden') },
      { type: 'xstate.error.actor.changeStatus', error: broken },
    ],
  }
  const model = streamsMachine.provide({
    actions: {
      notifyPreviews: () => undefined,
      notifyMissing: () => undefined,
      notifyAnswered: () => undefined,
      requestRefresh: () => undefined,
    },
  })
  const quiet = streamsMachine.provide({
    actors: { poll: pollMachine.provide({ actions: { notifyDue: () => undefined } }) },
  })
  const walks = Object.values(regions).map((events) =>
    walkEdges(quiet, {
      model,
      input: inputOf(),
      events: [...opened, ...events],
      name: ({ value, context }) =>
        JSON.stringify([
          value,
          context.listing === null,
          context.isOutdated,
          context.viewport.height > 0,
          context.changes.length > 0,
          context.view.searchingValues,
        ]),
    }),
  )
  expect(walks.flatMap(({ strayed }) => strayed)).toEqual([])
  expect([...new Set(walks.flatMap(({ covered }) => covered))].toSorted()).toEqual(walks[0]?.declared)
})
