import { describe, expect, test } from 'vitest'
import { createActor, fromCallback, setup } from 'xstate'
import { ok, refused, streamOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import type { Stream } from '../../api/contract/stream.ts'
import type { Reply } from '../../api/reply.ts'
import { draftWithTags, tagsAmong, tagsIn } from './bulk-tags.ts'
import { bulkMachine, type BulkEvent } from './bulk.machine.ts'

const streams = Array.from({ length: 6 }, (_, index) => streamOf({ uid: `cam-${index}`, name: `Camera ${index}` }))
const [first = streamOf({}), second = streamOf({})] = streams

/** The bulk of a list that hears what it is told; `answer` ends the work on a stream. */
function start() {
  const begun: string[] = []
  const heard: unknown[] = []
  const child = bulkMachine.provide({ actors: { work: fromCallback(({ input: { stream, job } }) => void begun.push(`${job.kind} ${stream.uid}`)) } })
  const parent = setup({ actors: { child } }).createMachine({ invoke: { id: 'bulk', src: 'child' }, on: { '*': { actions: ({ event }) => heard.push(event) } } })
  const actor = createActor(parent).start()
  const ref = () => {
    const { bulk } = actor.getSnapshot().children
    if (bulk === undefined) throw new Error('the list has no bulk')
    return bulk
  }
  const send = (event: BulkEvent) => ref().send(event)
  return {
    begun,
    heard,
    send,
    answer: (uid: string, reply: Reply<Stream | null>) => send({ type: 'work.ended', uid, reply }),
    context: () => ref().getSnapshot().context,
    value: () => ref().getSnapshot().value,
    outcomes: () => [...ref().getSnapshot().context.outcomes].map(([uid, { kind }]) => `${uid} ${kind}`),
  }
}

describe('streams chosen in the list', () => {
  test('are worked on four at a time, each with its own outcome, and the list hears of each change', () => {
    const bulk = start()
    bulk.send({ type: 'choice.extended', streams })
    bulk.send({ type: 'job.requested', job: { kind: 'pause' } })
    expect(bulk.begun).toEqual(['pause cam-0', 'pause cam-1', 'pause cam-2', 'pause cam-3'])
    bulk.answer('cam-1', ok({ ...second, status: 'paused' }))
    bulk.answer('cam-0', refused(403, 'Forbidden'))
    expect([bulk.begun.slice(4), bulk.outcomes()]).toEqual([['pause cam-4', 'pause cam-5'], ['cam-1 done', 'cam-0 refused']])
    for (const stream of streams.slice(2)) bulk.answer(stream.uid, ok({ ...stream, status: 'paused' }))
    expect([bulk.value(), bulk.heard.length, bulk.heard.at(0), bulk.heard.at(-1)]).toEqual([
      'choosing', 6, { type: 'bulk.changed', stream: { ...second, status: 'paused' } }, { type: 'bulk.ended' },
    ])
    bulk.send({ type: 'job.retried' })
    expect([bulk.begun.at(-1), bulk.begun.length]).toEqual(['pause cam-0', 7])
  })

  test('a cancelled job lets what is under way end, leaves the rest, and goes on with it when tried again', () => {
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

  test('deleting asks first; what is gone already is as gone as it should be', () => {
    const bulk = start()
    for (const stream of [first, second]) bulk.send({ type: 'choice.toggled', stream })
    bulk.send({ type: 'removal.requested' })
    bulk.send({ type: 'removal.purgeChosen', isPurging: true })
    expect([bulk.value(), bulk.begun]).toEqual(['confirming', []])
    bulk.send({ type: 'removal.confirmed' })
    expect(bulk.context().job).toEqual({ kind: 'delete', purge: true })
    bulk.answer('cam-0', ok(null))
    bulk.answer('cam-1', refused(404, 'NotFound'))
    expect([bulk.outcomes(), bulk.context().chosen.size, bulk.value()]).toEqual([['cam-0 done', 'cam-1 done'], 0, 'choosing'])
    bulk.send({ type: 'removal.requested' })
    expect(bulk.value()).toBe('choosing')
  })

  test('are chosen and left again one by one, or all at once', () => {
    const bulk = start()
    for (const stream of [first, second, first]) bulk.send({ type: 'choice.toggled', stream })
    expect([...bulk.context().chosen.keys()]).toEqual(['cam-1'])
    bulk.send({ type: 'choice.cleared' })
    expect(bulk.context().chosen.size).toBe(0)
  })
})

describe('tags', () => {
  const stream = streamOf({
    uid: 'gate', name: 'Gate', streamSource: 'rtsp://***@cam/1', tags: ['north', 'doors'], location: { name: 'Yard' },
    meta: { marker: '#e5484d', canAdmin: true }, archive: { isEnable: true, depthHours: 24 }, live: { onDemand: true }, node: { id: 'a', available: true },
  })

  test('are given and taken away, and all else goes back as it was', () => {
    expect(draftWithTags(stream, { added: ['doors', 'fence'], removed: ['north'] })).toEqual({
      name: 'Gate', streamSource: 'rtsp://***@cam/1', tags: ['doors', 'fence'], location: { name: 'Yard' },
      archive: { isEnable: true, depthHours: 24 }, live: { onDemand: true }, meta: { marker: '#e5484d' }, node: { id: 'a' },
    })
    expect(draftWithTags(stream, { added: ['doors'], removed: ['roof'] })).toBeNull()
  })

  test('are read from what is typed, and gathered from streams', () => {
    expect(tagsIn(' a, b ,,a')).toEqual(['a', 'b'])
    expect(tagsAmong([stream, streamOf({ tags: ['attic', 'north', ''] })])).toEqual(['attic', 'doors', 'north'])
  })
})

test('every edge of the chart is walked', () => {
  const own = {
    'choice.toggled': [{ type: 'choice.toggled', stream: first }],
    'choice.extended': [{ type: 'choice.extended', streams: [first, second] }],
    'choice.cleared': [{ type: 'choice.cleared' }],
    'job.requested': [{ type: 'job.requested', job: { kind: 'pause' } }],
    'job.cancelled': [{ type: 'job.cancelled' }],
    'job.retried': [{ type: 'job.retried' }],
    'tagging.requested': [{ type: 'tagging.requested' }],
    'tagging.cancelled': [{ type: 'tagging.cancelled' }],
    'removal.requested': [{ type: 'removal.requested' }],
    'removal.purgeChosen': [{ type: 'removal.purgeChosen', isPurging: true }],
    'removal.confirmed': [{ type: 'removal.confirmed' }],
    'removal.cancelled': [{ type: 'removal.cancelled' }],
    'work.ended': [
      { type: 'work.ended', uid: 'cam-0', reply: ok(first) },
      { type: 'work.ended', uid: 'cam-0', reply: refused(403, 'Forbidden') },
    ],
  } satisfies { [Type in BulkEvent['type']]: Extract<BulkEvent, { type: Type }>[] }
  const walked = walkEdges(bulkMachine, {
    model: bulkMachine.provide({ actions: { tellEnded: () => undefined, tellChanged: () => undefined } }),
    events: Object.values(own).flat(),
    name: ({ value, context }) => JSON.stringify([value, context['chosen'].size, context['running'].length, [...context['outcomes'].values()].map(({ kind }) => kind)]),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
