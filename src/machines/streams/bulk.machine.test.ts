import { describe, expect, test } from 'vitest'
import { createActor, fromCallback, fromPromise, setup, SimulatedClock } from 'xstate'
import { noAnswer, ok, refused, streamOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { Stream } from '../../api/contract/stream.ts'
import type { Reply } from '../../api/reply.ts'
import { bodyWithTags, tagsAmong, tagsIn } from './bulk-tags.ts'
import type { BulkEvent } from './bulk.events.ts'
import { lockReasonsIn } from './bulk-locks.ts'
import { bulkMachine } from './bulk.machine.ts'
import { gatheringMachine } from './gathering.machine.ts'
import type { PagesReply, PagesRequest } from './pages.ts'

const streams = Array.from({ length: 6 }, (_, index) => streamOf({ uid: `cam-${index}`, name: `Camera ${index}` }))
const [first = streamOf({}), second = streamOf({})] = streams

const heldByLocks: Reply<never> = {
  ok: false,
  apiError: { ...noAnswer, status: 409, code: 'ActionNotAcceptable', details: { locks: [{ reason: 'Theft' }] } },
}

/** The bulk machine with a parent that records its events; `answer` ends the work on a stream. */
function start(fetchPages: (request: PagesRequest) => Promise<PagesReply> = () => new Promise(() => undefined)) {
  const begun: string[] = []
  const received: unknown[] = []
  const clock = new SimulatedClock()
  const child = bulkMachine.provide({
    actors: {
      work: fromCallback(({ input: { stream, job } }) => void begun.push(`${job.kind} ${stream.uid}`)),
      gathering: gatheringMachine.provide({ actors: { fetchPages: fromPromise(({ input }) => fetchPages(input)) } }),
    },
  })
  const parent = setup({ actors: { child } }).createMachine({
    invoke: { id: 'bulk', src: 'child' },
    on: { '*': { actions: ({ event }) => received.push(event) } },
  })
  const actor = createActor(parent, { clock }).start()
  const ref = () => {
    const { bulk } = actor.getSnapshot().children
    if (bulk === undefined) throw new Error('the list has no bulk')
    return bulk
  }
  const send = (event: BulkEvent) => ref().send(event)
  return {
    begun,
    received,
    clock,
    send,
    answer: (uid: string, reply: Reply<Stream | null>) => send({ type: 'work.ended', uid, reply }),
    context: () => ref().getSnapshot().context,
    value: () => ref().getSnapshot().value,
    outcomes: () => [...ref().getSnapshot().context.outcomes].map(([uid, { kind }]) => `${uid} ${kind}`),
  }
}

describe('streams selected in the list', () => {
  test('are processed four at a time, each with its own outcome, and each change is reported to the list', () => {
    const bulk = start()
    bulk.send({ type: 'choice.extended', streams })
    bulk.send({ type: 'job.requested', job: { kind: 'pause' } })
    expect(bulk.begun).toEqual(['pause cam-0', 'pause cam-1', 'pause cam-2', 'pause cam-3'])
    bulk.answer('cam-1', ok({ ...second, status: 'paused' }))
    bulk.answer('cam-0', refused(403, 'Forbidden'))
    expect([bulk.begun.slice(4), bulk.outcomes()]).toEqual([['pause cam-4', 'pause cam-5'], []])
    bulk.clock.increment(250)
    expect(bulk.outcomes()).toEqual(['cam-1 done', 'cam-0 refused'])
    for (const stream of streams.slice(2)) bulk.answer(stream.uid, ok({ ...stream, status: 'paused' }))
    expect([bulk.value(), bulk.received]).toEqual([
      'choosing',
      [
        { type: 'bulk.changed', streams: [{ ...second, status: 'paused' }] },
        { type: 'bulk.changed', streams: streams.slice(2).map((stream) => ({ ...stream, status: 'paused' })) },
        { type: 'bulk.ended' },
      ],
    ])
    bulk.send({ type: 'job.retried' })
    expect([bulk.begun.at(-1), bulk.begun.length]).toEqual(['pause cam-0', 7])
  })

  test('a cancelled job lets running requests finish and leaves the rest, which a retry runs', () => {
    const bulk = start()
    bulk.send({ type: 'choice.extended', streams })
    bulk.send({ type: 'job.requested', job: { kind: 'resume' } })
    bulk.send({ type: 'job.cancelled' })
    expect(bulk.value()).toBe('working')
    for (const stream of streams.slice(0, 4)) bulk.answer(stream.uid, ok(stream))
    expect([bulk.value(), bulk.outcomes().slice(0, 2)]).toEqual(['choosing', ['cam-4 left', 'cam-5 left']])
    bulk.send({ type: 'job.retried' })
    expect(bulk.begun.slice(4)).toEqual(['resume cam-4', 'resume cam-5'])
  })

  test('streams whose sources take no login are skipped, and not retried', () => {
    const bulk = start()
    const job = { kind: 'credentials', login: 'ann', password: 'x' } as const
    const camera = { ...first, streamSource: 'rtsp://***@cam/1' }
    const demo = { ...second, streamSource: 'demo:gate' }
    const [, , third = streamOf({})] = streams
    bulk.send({ type: 'choice.extended', streams: [camera, demo, third] })
    bulk.send({ type: 'job.requested', job })
    bulk.answer('cam-0', ok(camera))
    bulk.answer('cam-1', ok(demo))
    bulk.answer('cam-2', refused(503, 'Unavailable'))
    expect(bulk.outcomes()).toEqual(['cam-0 done', 'cam-1 skipped', 'cam-2 refused'])
    bulk.send({ type: 'job.retried' })
    expect([bulk.begun.slice(3), bulk.context().job]).toEqual([['credentials cam-2'], job])
    bulk.answer('cam-2', ok({ ...third, substreamSource: 'rtsp://cam/2' }))
    expect(bulk.outcomes()).toEqual(['cam-0 done', 'cam-1 skipped', 'cam-2 done'])
  })

  test("deleting is confirmed first; a stream that doesn't exist counts as deleted", () => {
    const bulk = start()
    for (const stream of [first, second]) bulk.send({ type: 'choice.toggled', stream })
    bulk.send({ type: 'removal.requested' })
    bulk.send({ type: 'removal.purgeChosen', withArchive: false })
    bulk.send({ type: 'removal.cancelled' })
    bulk.send({ type: 'removal.requested' })
    expect([bulk.value(), bulk.begun]).toEqual(['confirming', []])
    bulk.send({ type: 'removal.confirmed' })
    expect(bulk.context().job).toEqual({ kind: 'delete', purge: true, unlocked: [] })
    bulk.answer('cam-0', ok(null))
    bulk.answer('cam-1', refused(404, 'NotFound'))
    expect([bulk.outcomes(), bulk.context().chosen.size, bulk.value()]).toEqual([
      ['cam-0 done', 'cam-1 done'],
      0,
      'choosing',
    ])
    bulk.send({ type: 'removal.requested' })
    expect(bulk.value()).toBe('choosing')
  })

  test('streams with locked recordings are deleted only after another confirmation, the others are not retried', () => {
    const bulk = start()
    bulk.send({ type: 'choice.extended', streams: streams.slice(0, 3) })
    bulk.send({ type: 'removal.requested' })
    bulk.send({ type: 'removal.confirmed' })
    bulk.answer('cam-0', ok(null))
    bulk.answer('cam-1', heldByLocks)
    bulk.answer('cam-2', refused(503, 'Unavailable'))
    expect([bulk.value(), [...lockReasonsIn(bulk.context().outcomes)]]).toEqual([
      'confirmingLocked',
      [['cam-1', ['Theft']]],
    ])
    bulk.send({ type: 'removal.cancelled' })
    expect(bulk.value()).toBe('choosing')

    bulk.send({ type: 'job.retried' })
    bulk.answer('cam-1', heldByLocks)
    bulk.answer('cam-2', refused(503, 'Unavailable'))
    bulk.send({ type: 'removal.confirmed' })
    expect([bulk.begun.slice(5), bulk.context().job]).toEqual([
      ['delete cam-1'],
      { kind: 'delete', purge: true, unlocked: ['cam-1'] },
    ])
    bulk.answer('cam-1', ok(null))
    expect([bulk.value(), bulk.outcomes()]).toEqual(['choosing', ['cam-0 done', 'cam-2 refused', 'cam-1 done']])
  })

  test('deleting keeps the recordings if the user chooses so', () => {
    const bulk = start()
    bulk.send({ type: 'choice.toggled', stream: first })
    bulk.send({ type: 'removal.requested' })
    bulk.send({ type: 'removal.purgeChosen', withArchive: false })
    bulk.send({ type: 'removal.confirmed' })
    expect(bulk.context().job).toEqual({ kind: 'delete', purge: false, unlocked: [] })
  })

  test('are selected and deselected one by one, or all at once', () => {
    const bulk = start()
    for (const stream of [first, second, first]) bulk.send({ type: 'choice.toggled', stream })
    expect([...bulk.context().chosen.keys()]).toEqual(['cam-1'])
    bulk.send({ type: 'choice.cleared' })
    expect(bulk.context().chosen.size).toBe(0)
  })
})

const query = { groupType: 'none', sortType: 'date', isOnlyAvailable: false, searchingValues: ['cam'] } as const
const listing = { total: 6, pageSize: 1, pages: { 2: [second] } }

describe('selecting all', () => {
  const pageOf = (page: number): PagesReply[number] => ({
    page,
    reply: ok({ items: streams.slice(page - 1, page), page, pageSize: 1, total: 6 }),
  })

  test("gathers pages that aren't loaded, without streams that the user may not administer", async () => {
    const asked: (readonly number[])[] = []
    const bulk = start(async ({ query: { searchingValues }, pages }) => {
      expect(searchingValues).toEqual(['cam'])
      asked.push(pages)
      return pages.map((page) =>
        page === 6
          ? {
              page,
              reply: ok({ items: [streamOf({ uid: 'own', meta: { canAdmin: true } })], page, pageSize: 1, total: 6 }),
            }
          : pageOf(page),
      )
    })
    bulk.send({ type: 'choice.toggled', stream: first })
    bulk.send({ type: 'choice.allRequested', gathering: { query, listing }, isAdmin: false })
    expect(bulk.value()).toBe('gathering')
    await settle()
    expect([asked, bulk.value(), [...bulk.context().chosen.keys()]]).toEqual([
      [[1, 3, 4, 5], [6]],
      'choosing',
      ['cam-0', 'own'],
    ])
    bulk.send({ type: 'choice.allRequested', gathering: { query, listing }, isAdmin: true })
    await settle()
    expect([...bulk.context().chosen.keys()]).toEqual(['cam-0', 'own', 'cam-1', 'cam-2', 'cam-3', 'cam-4'])
  })

  test('requests nothing if the list is complete, and nothing beyond its end', async () => {
    const asked: (readonly number[])[] = []
    const bulk = start(async ({ pages }) => {
      asked.push(pages)
      return pages.map((page) => ({ page, reply: ok({ items: [], page, pageSize: 1, total: 1 }) }))
    })
    bulk.send({
      type: 'choice.allRequested',
      gathering: { query, listing: { total: 1, pageSize: 1, pages: { 1: [first] } } },
      isAdmin: true,
    })
    await settle()
    expect([asked, bulk.context().chosen.size]).toEqual([[], 1])
    bulk.send({ type: 'choice.allRequested', gathering: { query, listing }, isAdmin: true })
    await settle()
    expect([asked, bulk.value(), bulk.context().chosen.size]).toEqual([[[1, 3, 4, 5]], 'choosing', 2])
  })

  test('of a range gathers only the pages in it, and of a page only the streams in it', async () => {
    const asked: (readonly number[])[] = []
    const bulk = start(async ({ pages }) => {
      asked.push(pages)
      const items = (page: number) => streams.slice((page - 1) * 2, page * 2)
      return pages.map((page) => ({ page, reply: ok({ items: items(page), page, pageSize: 2, total: 6 }) }))
    })
    const choose = async (loaded: Record<number, Stream[]>, range: { first: number; count: number }) => {
      bulk.send({ type: 'choice.cleared' })
      const gathering = { query, listing: { total: 6, pageSize: 2, pages: loaded }, range }
      bulk.send({ type: 'choice.allRequested', gathering, isAdmin: true })
      await settle()
      return [asked.splice(0), [...bulk.context().chosen.keys()]]
    }
    expect(await choose({ 1: streams.slice(0, 2) }, { first: 1, count: 3 })).toEqual([[[2]], ['cam-2', 'cam-3']])
    expect(await choose({}, { first: 1, count: 2 })).toEqual([[[1, 2]], ['cam-1', 'cam-2']])
  })

  test('cancelled, refused or failed, it leaves the selection unchanged', async () => {
    const answers: (() => Promise<PagesReply>)[] = [
      () => new Promise(() => undefined),
      async () => [{ page: 1, reply: refused(503, 'Unavailable') }],
      () => Promise.reject(new Error('broken')),
    ]
    const bulk = start((_request) => answers.shift()?.() ?? Promise.resolve([]))
    bulk.send({ type: 'choice.toggled', stream: first })
    bulk.send({ type: 'choice.allRequested', gathering: { query, listing }, isAdmin: true })
    bulk.send({ type: 'choice.toggled', stream: second })
    bulk.send({ type: 'gathering.cancelled' })
    for (let turn = 0; turn < 2; turn += 1) {
      bulk.send({ type: 'choice.allRequested', gathering: { query, listing }, isAdmin: true })
      await settle()
    }
    expect([answers.length, bulk.value(), [...bulk.context().chosen.keys()]]).toEqual([0, 'choosing', ['cam-0']])
  })
})

describe('tags', () => {
  const stream = streamOf({
    uid: 'gate',
    name: 'Gate',
    streamSource: 'rtsp://***@cam/1',
    tags: ['north', 'doors'],
    location: { name: 'Yard' },
    meta: { marker: '#e5484d', canAdmin: true },
    archive: { isEnable: true, depthHours: 24 },
    live: { onDemand: true },
    node: { id: 'a', available: true },
  })

  test('are added and removed, and everything else stays unchanged', () => {
    expect(bodyWithTags(stream, { added: ['doors', 'fence'], removed: ['north'] })).toEqual({
      name: 'Gate',
      streamSource: 'rtsp://***@cam/1',
      tags: ['doors', 'fence'],
      location: { name: 'Yard' },
      archive: { isEnable: true, depthHours: 24 },
      live: { onDemand: true },
      meta: { marker: '#e5484d' },
      node: { id: 'a' },
    })
    expect(bodyWithTags(stream, { added: ['doors'], removed: ['roof'] })).toBeNull()
  })

  test('are read from text, and collected from streams', () => {
    expect(tagsIn(' a, b ,,a')).toEqual(['a', 'b'])
    expect(tagsAmong([stream, streamOf({ tags: ['attic', 'north', ''] })])).toEqual(['attic', 'doors', 'north'])
  })
})

test('every edge of the chart is walked', () => {
  const own = {
    'choice.toggled': [{ type: 'choice.toggled', stream: first }],
    'choice.extended': [{ type: 'choice.extended', streams: [first, second] }],
    'choice.cleared': [{ type: 'choice.cleared' }],
    'choice.allRequested': [{ type: 'choice.allRequested', gathering: { query, listing }, isAdmin: true }],
    'gathering.cancelled': [{ type: 'gathering.cancelled' }],
    'job.requested': [{ type: 'job.requested', job: { kind: 'pause' } }],
    'job.cancelled': [{ type: 'job.cancelled' }],
    'job.retried': [{ type: 'job.retried' }],
    'tagging.requested': [{ type: 'tagging.requested' }],
    'tagging.cancelled': [{ type: 'tagging.cancelled' }],
    'removal.requested': [{ type: 'removal.requested' }],
    'removal.purgeChosen': [{ type: 'removal.purgeChosen', withArchive: false }],
    'removal.confirmed': [{ type: 'removal.confirmed' }],
    'removal.cancelled': [{ type: 'removal.cancelled' }],
    'work.ended': [
      { type: 'work.ended', uid: 'cam-0', reply: ok(first) },
      { type: 'work.ended', uid: 'cam-0', reply: refused(403, 'Forbidden') },
      { type: 'work.ended', uid: 'cam-0', reply: heldByLocks },
    ],
  } satisfies { [Type in BulkEvent['type']]: Extract<BulkEvent, { type: Type }>[] }
  const walked = walkEdges(bulkMachine, {
    model: bulkMachine.provide({ actions: { reportEnded: () => undefined, reportChanged: () => undefined } }),
    events: [
      ...Object.values(own).flat(),
      { type: 'xstate.done.actor.gathering', output: { streams: [first], apiError: null } },
      { type: 'xstate.done.actor.gathering', output: { streams: [], apiError: { status: 503, code: 'Unavailable' } } },
      { type: 'xstate.error.actor.gathering', error: new Error('broken') },
      { type: 'xstate.after.reportInterval.bulk.working' },
    ],
    name: ({ value, context }) =>
      JSON.stringify([
        value,
        context['chosen'].size,
        context['running'].length,
        [...context['outcomes'].values()].map(({ kind }) => kind),
        lockReasonsIn(context['outcomes']).size,
      ]),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})

test('every edge of gathering is walked', () => {
  const answered = (page: number, count: number) => [
    { page, reply: ok({ items: streams.slice(0, count), page, pageSize: 1, total: 6 }) },
  ]
  const walked = walkEdges(gatheringMachine, {
    model: gatheringMachine,
    input: { query, listing: { total: 2, pageSize: 1, pages: {} } },
    events: [
      { type: 'xstate.done.actor.fetchPages', output: answered(1, 1) },
      { type: 'xstate.done.actor.fetchPages', output: answered(2, 0) },
      { type: 'xstate.done.actor.fetchPages', output: [{ page: 1, reply: refused(503, 'Unavailable') }] },
      { type: 'xstate.error.actor.fetchPages', error: new Error('broken') },
    ],
    name: ({ value, context }) => JSON.stringify([value, context['pagesLeft']]),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
