import { describe, expect, test } from 'vitest'
import { busy, ok, refused } from '../../../tests/fixtures/replies.ts'
import { known, pageOf, start, table } from '../../../tests/machines/streams-page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { StreamsPage } from '../../api/contract/stream.ts'
import type { Reply } from '../../api/reply.ts'

describe('the status refresh (docs/wire.md §5.2)', () => {
  test('requests the pages in sight every 10 s and merges them in place', async () => {
    const { answers, refreshed, clock, view, context } = start({ stored: table })
    view(0)
    await settle()
    await settle()
    const before = context().listing?.pages[2]
    answers.refresh = ({ page }) => ok(pageOf(page, 100, 'failed'))
    clock.increment(10_000)
    await settle()
    clock.increment(10_000)
    await settle()
    expect(refreshed).toEqual(['1', '1'])
    expect(context().listing?.pages[1]?.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'failed'))
    expect(context().listing?.pages[2]).toBe(before)
  })

  test('of an empty list goes on, as a stream may become available; its error ends with the next answer', async () => {
    const { answers, refreshed, clock, view, send, context } = start({ stored: table })
    view(0)
    await settle()
    await settle()
    send({ type: 'availability.switched' })
    await settle()
    answers.refresh = () => ok(pageOf(1, 0))
    clock.increment(10_000)
    await settle()
    expect(context().listing).toMatchObject({ total: 0, pages: { 1: [] } })
    answers.refresh = () => refused(503, 'Unavailable')
    clock.increment(10_000)
    await settle()
    expect(context().refreshApiError).toMatchObject({ code: 'Unavailable' })
    answers.refresh = ({ page }) => ok(pageOf(page, 3))
    clock.increment(10_000)
    await settle()
    expect({ refreshed, total: context().listing?.total, apiError: context().refreshApiError }).toEqual({
      refreshed: ['1', '1', '1'],
      total: 3,
      apiError: null,
    })
  })

  test('that finds the list longer or shorter requests the other pages again', async () => {
    const { answers, asked, clock, view, context } = start({ stored: table })
    view(0)
    await settle()
    await settle()
    answers.page = ({ page }) => ok(pageOf(page, 60))
    answers.refresh = ({ page }) => ok(pageOf(page, 60))
    clock.increment(10_000)
    await settle()
    clock.increment(80)
    await settle()
    expect({ asked, pages: Object.keys(context().listing?.pages ?? {}), total: context().listing?.total }).toEqual({
      asked: ['1', '2', '2'],
      pages: ['1', '2'],
      total: 60,
    })
  })

  test('requests at most six pages, those refreshed longest ago first, if a section has streams of many pages', async () => {
    const sparse = ({ page }: { page: number }) => {
      const { items, ...rest } = pageOf(page, 100)
      return ok({ ...rest, items: items.map((stream, index) => ({ ...stream, tags: [index === 0 ? 'a' : 'b'] })) })
    }
    const { refreshed, clock, view, context } = start({
      stored: { ...table, groupType: 'tag' },
      page: sparse,
      refresh: sparse,
    })
    view(3000)
    for (let turn = 0; turn < 12; turn += 1) await settle()
    view(0)
    clock.increment(80)
    await settle()
    expect(Object.keys(context().listing?.pages ?? {}).length).toBe(10)
    for (let turn = 0; turn < 2; turn += 1) {
      clock.increment(10_000)
      await settle()
    }
    expect(refreshed).toEqual(['1,2,3,4,5,6', '7,8,9,1,2,3'])
  })

  test('cancels the request before, and doubles the interval until an answer arrives', async () => {
    const { answers, refreshed, aborted, clock, view } = start({ stored: table })
    view(0)
    await settle()
    await settle()
    answers.refresh = () => new Promise(() => undefined)
    for (const pause of [10_000, 10_000, 20_000, 40_000, 80_000, 80_000]) clock.increment(pause)
    expect({
      refreshed: refreshed.length,
      aborted: aborted.filter((one) => one === 'refresh 1').length,
    }).toEqual({
      refreshed: 6,
      aborted: 5,
    })
    answers.refresh = ({ page }) => ok(pageOf(page, 100))
    clock.increment(80_000)
    await settle()
    clock.increment(80_000)
    await settle()
    clock.increment(10_000)
    expect(refreshed.length).toBe(9)
  })

  test('reports why it failed and keeps the list; the next one succeeds', async () => {
    const { answers, clock, view, context, send } = start({ stored: table, refresh: () => refused(0, 'NoResponse') })
    view(0)
    await settle()
    await settle()
    clock.increment(10_000)
    await settle()
    expect(context()).toMatchObject({ refreshApiError: { code: 'NoResponse' }, listing: { total: 100 } })
    answers.refresh = known.refresh
    send({ type: 'list.retried' })
    await settle()
    expect(context().refreshApiError).toBeNull()
  })

  test('waits as long as the server requires after a refusal', async () => {
    const { answers, refreshed, clock, view } = start({ stored: table })
    view(0)
    await settle()
    await settle()
    answers.refresh = () => busy(60)
    clock.increment(10_000)
    await settle()
    answers.refresh = () => busy(1)
    clock.increment(59_999)
    await settle()
    expect(refreshed).toEqual(['1'])
    clock.increment(1)
    await settle()
    clock.increment(9999)
    await settle()
    expect(refreshed).toEqual(['1', '1'])
    clock.increment(1)
    expect(refreshed).toEqual(['1', '1', '1'])
  })

  test('of an earlier query is ignored', async () => {
    const { answers, clock, view, send, context } = start({ stored: table })
    view(0)
    await settle()
    await settle()
    const late = Promise.withResolvers<Reply<StreamsPage>>()
    answers.refresh = () => late.promise
    clock.increment(10_000)
    answers.page = ({ page }) => ok(pageOf(page, 3))
    send({ type: 'search.added', value: 'gate' })
    await settle()
    late.resolve(ok(pageOf(1, 100, 'failed')))
    await settle()
    expect(context().listing).toMatchObject({ total: 3 })
  })

  test('from before a pause is dropped, as its answer would undo the pause; the next one is due as usual', async () => {
    const { answers, refreshed, aborted, clock, view, send, context } = start({ stored: table })
    const statusOf = () => context().listing?.pages[1]?.[0]?.status
    view(0)
    await settle()
    await settle()
    const before = Promise.withResolvers<Reply<StreamsPage>>()
    answers.refresh = () => before.promise
    clock.increment(10_000)
    send({ type: 'stream.pauseRequested', uid: 'cam-0' })
    await settle()
    before.resolve(ok(pageOf(1, 100)))
    await settle()
    expect([statusOf(), refreshed, aborted.filter((one) => one === 'refresh 1')]).toEqual([
      'paused',
      ['1'],
      ['refresh 1'],
    ])
    answers.refresh = ({ page }) => ok(pageOf(page, 100, 'failed'))
    clock.increment(10_000)
    await settle()
    expect([statusOf(), refreshed]).toEqual(['failed', ['1', '1']])
  })

  test('stops while the page is hidden, and requests at once when it is shown', async () => {
    const { refreshed, clock, view, setVisible } = start({ stored: table })
    view(0)
    await settle()
    await settle()
    setVisible(false)
    clock.increment(60_000)
    expect(refreshed).toEqual([])
    setVisible(true)
    expect(refreshed).toEqual(['1'])
  })
})

describe('pause and resume', () => {
  test('run one after the other; the status in the response is applied', async () => {
    const { send, view, context } = start({ stored: table })
    view(0)
    await settle()
    await settle()
    send({ type: 'stream.pauseRequested', uid: 'cam-1' })
    send({ type: 'stream.pauseRequested', uid: 'cam-1' })
    send({ type: 'stream.resumeRequested', uid: 'cam-3' })
    expect(context().changes).toEqual([
      { uid: 'cam-1', change: 'pause' },
      { uid: 'cam-3', change: 'resume' },
    ])
    await settle()
    await settle()
    expect(context().changes).toEqual([])
    expect(
      context()
        .listing?.pages[1]?.filter(({ status }) => status === 'paused')
        .map(({ uid }) => uid),
    ).toEqual(['cam-1', 'cam-3'])
  })

  test('continue when the list is filtered, grouped or sorted meanwhile', async () => {
    const { answers, send, context } = start()
    await settle()
    const late = Promise.withResolvers<Reply<{ status: string }>>()
    answers.change = () => late.promise
    send({ type: 'stream.pauseRequested', uid: 'cam-1' })
    send({ type: 'sort.chosen', sortType: 'name' })
    await settle()
    await settle()
    late.resolve(ok({ status: 'paused' }))
    await settle()
    expect({ changes: context().changes, status: context().listing?.pages[1]?.[1]?.status }).toEqual({
      changes: [],
      status: 'paused',
    })
  })

  test('change nothing if they are refused', async () => {
    const { send, context } = start({ change: async () => refused(403, 'Forbidden') })
    await settle()
    await settle()
    const before = context().listing
    send({ type: 'stream.pauseRequested', uid: 'cam-1' })
    await settle()
    expect({ listing: context().listing, changes: context().changes }).toEqual({ listing: before, changes: [] })
  })
})
