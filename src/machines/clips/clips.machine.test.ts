import { createActor, fromCallback, SimulatedClock } from 'xstate'
import { describe, expect, test } from 'vitest'
import { noAnswer } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import type { Clip, ClipsEvent } from './clips.events.ts'
import { clipsMachine, type Download } from './clips.machine.ts'
import { selectDownloads, summaryOf } from './clips.selectors.ts'

const from = Date.UTC(2026, 10, 21, 12)
const minute = 60_000
const clip = (minutes: number, name = 'Gate'): Clip => ({
  uid: 'gate',
  name,
  from,
  to: from + minutes * minute,
  zone: 'UTC',
  maxSeconds: 60,
})

/** The downloads with a server that only does what the test sends through `server`. */
function begin() {
  const journal: string[] = []
  const clock = new SimulatedClock()
  const server: { send: (event: ClipsEvent) => void } = { send: () => undefined }
  const fetchClip = fromCallback<ClipsEvent, Download | undefined>(({ input, sendBack }) => {
    journal.push(`fetch ${input?.id}`)
    server.send = sendBack
    return () => journal.push(`stop ${input?.id}`)
  })
  const warnBeforeClosing = fromCallback<ClipsEvent>(() => {
    journal.push('warn before closing')
    return () => journal.push('no warning')
  })
  const actor = createActor(clipsMachine.provide({ actors: { fetchClip, warnBeforeClosing } }), { clock }).start()
  const downloads = () => selectDownloads(actor.getSnapshot())
  return {
    journal,
    clock,
    server,
    downloads,
    send: (...events: ClipsEvent[]) => events.forEach((event) => actor.send(event)),
    progress: () => downloads().map(({ progress }) => progress),
    kinds: () => downloads().map(({ progress }) => progress.kind),
    summary: () => summaryOf(downloads()),
  }
}

describe('downloads', () => {
  test('longer than one file may be are split into parts, one after another', () => {
    const { send, server, downloads, kinds, journal } = begin()
    send({ type: 'clips.requested', clip: clip(2.5) })
    expect(
      downloads().map(({ id, request, part, parts, ...rest }) => ({
        id,
        request,
        part,
        parts,
        from: rest.from - from,
        to: rest.to - from,
      })),
    ).toEqual([
      { id: 0, request: 0, part: 1, parts: 3, from: 0, to: 50_000 },
      { id: 1, request: 0, part: 2, parts: 3, from: 50_000, to: 100_000 },
      { id: 2, request: 0, part: 3, parts: 3, from: 100_000, to: 150_000 },
    ])
    expect(kinds()).toEqual(['downloading', 'waiting', 'waiting'])
    server.send({ type: 'download.saved', bytes: 7 })
    expect(kinds()).toEqual(['saved', 'downloading', 'waiting'])
    server.send({ type: 'download.saved', bytes: 7 })
    server.send({ type: 'download.saved', bytes: 7 })
    expect(kinds()).toEqual(['saved', 'saved', 'saved'])
    expect(journal.filter((line) => line.startsWith('fetch'))).toEqual(['fetch 0', 'fetch 1', 'fetch 2'])
    expect(journal.at(-1)).toBe('no warning')
  })

  test('report the progress of each and of all', () => {
    const { send, server, progress, summary } = begin()
    send({ type: 'clips.requested', clip: clip(2) })
    server.send({ type: 'download.advanced', bytes: 5, total: null })
    expect([progress()[0], summary()]).toEqual([
      { kind: 'downloading', bytes: 5, total: null },
      { open: 2, saved: 0, refused: 0, percent: 0 },
    ])
    server.send({ type: 'download.advanced', bytes: 50, total: 100 })
    expect([progress()[0], summary().percent]).toEqual([{ kind: 'downloading', bytes: 50, total: 100 }, 25])
    server.send({ type: 'download.saved', bytes: 100 })
    expect([progress()[0], summary()]).toEqual([
      { kind: 'saved', bytes: 100 },
      { open: 1, saved: 1, refused: 0, percent: 50 },
    ])
    server.send({ type: 'download.refused', apiError: noAnswer })
    expect(summary()).toEqual({ open: 0, saved: 1, refused: 1, percent: 0 })
    send({ type: 'clips.requested', clip: clip(1, 'Yard') })
    expect(summary()).toEqual({ open: 1, saved: 1, refused: 1, percent: 0 })
  })

  test('that are refused let the next begin, and can be retried', () => {
    const { send, server, progress, kinds } = begin()
    send({ type: 'clips.requested', clip: clip(1) }, { type: 'clips.requested', clip: clip(1, 'Yard') })
    server.send({ type: 'download.refused', apiError: noAnswer })
    expect(progress()).toEqual([
      { kind: 'refused', apiError: noAnswer },
      { kind: 'downloading', bytes: 0, total: null },
    ])
    send({ type: 'clips.retried', id: 0 })
    expect(kinds()).toEqual(['waiting', 'downloading'])
    server.send({ type: 'download.saved', bytes: 1 })
    expect(kinds()).toEqual(['downloading', 'saved'])
    send({ type: 'clips.retried', id: 1 })
    expect(kinds()).toEqual(['downloading', 'saved'])
  })

  test('are cancelled while downloading and while waiting', () => {
    const { send, kinds, journal } = begin()
    send(
      { type: 'clips.requested', clip: clip(3) },
      { type: 'clips.cancelled', id: 1 },
      { type: 'clips.cancelled', id: 0 },
    )
    expect(kinds()).toEqual(['cancelled', 'cancelled', 'downloading'])
    expect(journal.filter((line) => line !== 'warn before closing' && line !== 'no warning')).toEqual([
      'fetch 0',
      'stop 0',
      'fetch 2',
    ])
  })

  test('can be dismissed once they have ended', () => {
    const { send, server, downloads } = begin()
    const left = () => downloads().map(({ id }) => id)
    send(
      { type: 'clips.requested', clip: clip(4) },
      { type: 'clips.dismissed', id: 0 },
      { type: 'clips.dismissed', id: 1 },
    )
    expect(left()).toEqual([0, 1, 2, 3])
    server.send({ type: 'download.saved', bytes: 1 })
    server.send({ type: 'download.refused', apiError: noAnswer })
    send({ type: 'clips.cancelled', id: 3 }, { type: 'clips.dismissed', id: 0 })
    expect(left()).toEqual([1, 2, 3])
    send({ type: 'clips.cleared' })
    expect(left()).toEqual([2])
  })

  test('that stall for a minute are refused; every byte begins the minute anew', () => {
    const { send, server, clock, progress } = begin()
    send({ type: 'clips.requested', clip: clip(1) })
    clock.increment(59_999)
    server.send({ type: 'download.advanced', bytes: 1, total: 9 })
    clock.increment(59_999)
    expect(progress()).toEqual([{ kind: 'downloading', bytes: 1, total: 9 }])
    clock.increment(1)
    expect(progress()).toEqual([{ kind: 'refused', apiError: noAnswer }])
  })

  test('stop and are cleared when another user signs in', () => {
    const { send, downloads, journal } = begin()
    send({ type: 'clips.requested', clip: clip(2) }, { type: 'user.switched' })
    expect([downloads(), journal]).toEqual([[], ['fetch 0', 'warn before closing', 'stop 0', 'no warning']])
    send({ type: 'clips.requested', clip: clip(1) })
    expect(downloads().map(({ id }) => id)).toEqual([2])
  })
})

test('every edge of the chart is walked', () => {
  const own = {
    'clips.requested': [{ type: 'clips.requested', clip: clip(2) }],
    'clips.cancelled': [0, 1].map((id) => ({ type: 'clips.cancelled' as const, id })),
    'clips.retried': [0, 1].map((id) => ({ type: 'clips.retried' as const, id })),
    'clips.dismissed': [{ type: 'clips.dismissed', id: 0 }],
    'clips.cleared': [{ type: 'clips.cleared' }],
    'user.switched': [{ type: 'user.switched' }],
    'download.advanced': [{ type: 'download.advanced', bytes: 1, total: 2 }],
    'download.saved': [{ type: 'download.saved', bytes: 2 }],
    'download.refused': [{ type: 'download.refused', apiError: noAnswer }],
  } satisfies { [Type in ClipsEvent['type']]: Extract<ClipsEvent, { type: Type }>[] }
  const walked = walkEdges(clipsMachine, {
    model: clipsMachine,
    events: [
      ...Object.values(own).flat(),
      { type: 'xstate.after.stallTimeout.clips.downloading.flowing' },
      { type: 'xstate.error.actor.fetchClip', error: new Error('broken') },
    ],
    name: ({ value, context }) =>
      JSON.stringify([value, context.downloads.slice(0, 2).map(({ progress }: Download) => progress.kind)]),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
