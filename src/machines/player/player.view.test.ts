import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate'
import { describe, expect, test } from 'vitest'
import { settingsOf } from '../../../tests/fixtures/replies.ts'
import {
  addressAt,
  archive,
  first,
  gap,
  gone,
  hour,
  input,
  live,
  liveSource,
  nothing,
  now,
  picked,
  second,
  startPlayer,
  stream,
  timeline,
  trailing,
} from '../../../tests/machines/player.ts'
import type { Interval } from '../timeline/intervals.ts'
import { liveAddress } from './address.ts'
import { mediaMachine } from './media.machine.ts'
import type { PlayerEvent, PlayerInput } from './player.events.ts'
import { playerMachine } from './player.machine.ts'

describe('live (docs/behaviour.md §7)', () => {
  test('waits for the first stream report, then plays', () => {
    const { view, loads, send } = startPlayer({ stream: null })
    expect([view(), loads()]).toEqual([{ live: 'deciding' }, []])
    send({ type: 'stream.reported', stream })
    expect([view(), loads()]).toEqual([{ live: 'watching' }, [liveSource]])
  })

  test('an unavailable stream goes to the empty state, with no playlist', () => {
    const { view, loads, send, commands } = startPlayer({ stream: gone })
    expect([view(), loads()]).toEqual([{ live: 'empty' }, []])
    send({ type: 'stream.reported', stream })
    expect([view(), loads()]).toEqual([{ live: 'watching' }, [liveSource]])
    send({ type: 'stream.reported', stream: gone })
    expect([view(), commands.at(-1)]).toEqual([{ live: 'empty' }, { type: 'controller.unload' }])
  })

  test("a paused stream isn't loaded until it is resumed", () => {
    const { view, send, loads } = startPlayer({ stream: { ...stream, status: 'paused' } })
    expect([view(), loads()]).toEqual([{ live: 'halted' }, []])
    send({ type: 'stream.reported', stream })
    expect(view()).toEqual({ live: 'watching' })
  })

  test('a stream that runs again is retried at once', () => {
    const { report, send, loads } = startPlayer({ stream: { ...stream, status: 'failed' } })
    report({ type: 'engine.failed', failure: 'missing', at: null })
    expect(loads().length).toBe(1)
    send({ type: 'stream.reported', stream })
    expect(loads().length).toBe(2)
  })

  test('reports when it plays, so that the lease is extended, and when it stops', () => {
    const { report, send, received } = startPlayer()
    report({ type: 'engine.loaded', from: 0, to: 1 }, { type: 'engine.played' })
    expect(received).toEqual(['stream.playing'])
    send(picked(first.from, first, null))
    expect(received.at(-1)).toBe('stream.idle')
    report({ type: 'engine.loaded', from: first.from, to: first.to }, { type: 'engine.played' })
    expect(received.at(-1)).toBe('stream.idle')
  })
})

describe('live to archive (docs/behaviour.md §7)', () => {
  test('a pick in a fragment loads the playlist from there to its end', () => {
    const { send, loads, view } = startPlayer()
    send(picked(first.from + 1000, first, null))
    expect([view(), loads().at(-1)]).toEqual([{ archive: 'inFragment' }, archive(first.from + 1000, first.to)])
  })

  test('a pick in a gap that a fragment follows loads that fragment', () => {
    const { send, loads } = startPlayer()
    send(picked(gap.from + 1000, gap, second))
    expect(loads().at(-1)).toEqual(archive(second.from, second.from + hour))
  })

  test('a gap after now does nothing', () => {
    const { send, loads, view } = startPlayer()
    send(picked(now + 1000, trailing, null))
    expect([view(), loads()]).toEqual([{ live: 'watching' }, [liveSource]])
  })

  test('a playlist is at most playlistMaxSeconds long', () => {
    const { send, loads } = startPlayer({ limits: settingsOf({ playlistMaxSeconds: 600 }) })
    send(picked(first.from, first, null))
    expect(loads().at(-1)).toEqual(archive(first.from, first.from + 600_000))
  })

  test('an address with a moment opens the archive there', () => {
    const { view, loads, requests, send } = startPlayer({ address: addressAt(first.from + 5) })
    expect([view(), loads(), requests()]).toEqual([
      { archive: 'inGap' },
      [],
      [{ type: 'timeline.pickRequested', at: first.from + 5 }],
    ])
    send(picked(first.from + 5, first, null))
    expect(loads()).toEqual([archive(first.from + 5, first.to)])
  })
})

describe('archive', () => {
  const inArchive = (fragment: Interval, at: number, given: Partial<PlayerInput> = {}) => {
    const player = startPlayer(given)
    player.send(picked(at, fragment, null))
    player.report({ type: 'engine.loaded', from: at, to: Math.min(fragment.to, at + hour) }, { type: 'engine.played' })
    return player
  }

  test('at the end of a fragment the next fragment continues, after a gap the one after it', () => {
    const { report, send, requests, view, loads } = inArchive(first, first.to - 60_000)
    report({ type: 'engine.ended', at: first.to + 60_000 })
    expect([view(), requests()]).toEqual([
      { archive: 'inGap' },
      [{ type: 'timeline.pickRequested', at: first.to + 60_000 }],
    ])
    send(picked(first.to + 60_000, gap, second))
    expect([view(), loads().at(-1)]).toEqual([{ archive: 'inFragment' }, archive(second.from, second.from + hour)])
  })

  test('a search that finds nothing meanwhile has the timeline asked again', () => {
    const { report, send, requests, view } = inArchive(first, first.to - 60_000)
    report({ type: 'engine.ended', at: first.to + 60_000 })
    const request = { type: 'timeline.pickRequested', at: first.to + 60_000 }
    send({ type: 'timeline.previousFound', before: first.from, previous: null })
    send({ type: 'timeline.annotationFound', at: null })
    expect([view(), requests()]).toEqual([{ archive: 'inGap' }, [request, request, request]])
    send({ type: 'timeline.previousFound', before: first.to, previous: first })
    expect(view()).toEqual({ archive: 'inFragment' })
  })

  test('a range longer than one playlist continues in the next one', () => {
    const { report, send, loads } = inArchive(second, second.from)
    report({ type: 'engine.ended', at: second.from + hour })
    send(picked(second.from + hour, second, null))
    expect(loads().at(-1)).toEqual(archive(second.from + hour, second.from + 2 * hour))
  })

  test('after a seek in the loaded range its end is followed by the rest of the fragment', () => {
    const { report, send, requests, loads } = inArchive(second, second.from)
    send(picked(second.from + hour / 2, second, null))
    report({ type: 'engine.ended', at: second.from + hour })
    expect(requests().at(-1)).toEqual({ type: 'timeline.pickRequested', at: second.from + hour })
    send(picked(second.from + hour, second, null))
    expect(loads()).toEqual([
      liveSource,
      archive(second.from, second.from + hour),
      archive(second.from + hour, second.from + 2 * hour),
    ])
  })

  test('a video that ends before its range has ended its fragment', () => {
    const { report, send, requests, loads } = inArchive(first, first.from)
    report({ type: 'engine.ended', at: first.from + 4000 })
    expect(requests().at(-1)).toEqual({ type: 'timeline.nextRequested', after: first.from + 4000 })
    send({ type: 'timeline.nextFound', after: first.from + 4000, next: second })
    expect(loads().at(-1)).toEqual(archive(second.from, second.from + hour))
  })

  test('when the video ends and the next interval is live it goes live, at normal speed', () => {
    const { report, send, view, commands, loads } = inArchive(second, second.to - 1000)
    send({ type: 'speed.chosen', rate: 16 })
    report({ type: 'engine.ended', at: second.to })
    send(picked(now - 1000, live, null))
    expect([view(), loads().at(-1)]).toEqual([{ live: 'watching' }, liveSource])
    expect(commands.at(-1)).toEqual({ type: 'controller.load', source: liveSource, isPlaying: true, rate: 1 })
  })

  test("when nothing follows it goes live, and stays at the end if live isn't available", () => {
    const withLive = inArchive(first, first.from)
    withLive.report({ type: 'engine.ended', at: first.to })
    withLive.send(picked(first.to, gap, null))
    expect(withLive.view()).toEqual({ live: 'watching' })
    const withoutLive = inArchive(first, first.from, { stream: gone })
    withoutLive.report({ type: 'engine.ended', at: first.to })
    withoutLive.send(picked(first.to, gap, null))
    expect(withoutLive.view()).toEqual({ archive: 'atEnd' })
    withoutLive.send({ type: 'play.requested' })
    expect(withoutLive.view()).toEqual({ archive: 'inGap' })
  })

  test('after a step back from the end, play goes on from the frame shown', () => {
    const { report, send, view, commands } = inArchive(first, first.from, { stream: gone })
    report({ type: 'engine.ended', at: first.to })
    send(picked(first.to, gap, null), { type: 'step.requested', direction: -1 }, { type: 'play.requested' })
    expect([view(), commands.slice(-2)]).toEqual([
      { archive: 'inFragment' },
      [{ type: 'controller.step', direction: -1 }, { type: 'controller.play' }],
    ])
  })

  test('picking live goes live', () => {
    const { send, view } = inArchive(first, first.from)
    send(picked(now - 1000, live, null))
    expect(view()).toEqual({ live: 'watching' })
  })

  test('a gap after now does nothing', () => {
    const { send, view, commands } = inArchive(first, first.from)
    const before = commands.length
    send(picked(now + 1000, trailing, null))
    expect([view(), commands.length]).toEqual([{ archive: 'inFragment' }, before])
  })

  test('panels, full screen and snapshots don’t change the view', () => {
    const { send, snapshot, commands } = inArchive(first, first.from)
    const before = commands.length
    send(
      { type: 'panel.opened', panel: 'download', at: first.from },
      { type: 'panel.opened', panel: 'calendar', at: null },
    )
    send({ type: 'panel.closed' }, { type: 'screen.filled' }, { type: 'snapshot.requested' })
    expect(snapshot().value).toEqual({
      view: { archive: 'inFragment' },
      screen: 'full',
      panel: 'closed',
      snapshot: 'taking',
    })
    expect(commands.length).toBe(before)
  })

  test('the calendar stays open while playback goes on to what follows', () => {
    const { send, snapshot } = inArchive(first, first.from)
    send({ type: 'panel.opened', panel: 'calendar', at: first.from }, picked(first.from + 1000, first, null))
    expect(snapshot().value.panel).toBe('calendar')
  })

  test("a snapshot that can't be saved shows a toast", async () => {
    const notified: string[] = []
    const child = playerMachine.provide({
      actors: {
        media: mediaMachine.provide({ actors: { controller: fromCallback(nothing) } }),
        timeline,
        takeSnapshot: fromPromise(() => Promise.reject(new Error('full'))),
      },
      actions: { notifyFailure: (_, { code }) => notified.push(code) },
    })
    const actor = createActor(child, { input, clock: new SimulatedClock() }).start()
    actor.send({ type: 'snapshot.requested' })
    await new Promise((resolve) => setImmediate(resolve))
    expect({ notified, snapshot: actor.getSnapshot().value.snapshot }).toEqual({
      notified: ['SnapshotFailed'],
      snapshot: 'idle',
    })
    actor.stop()
  })

  test.each<PlayerEvent>([{ type: 'live.requested' }, { type: 'address.moved', address: liveAddress }])(
    'after $type a moment that was picked before is no longer searched',
    (event) => {
      const { send, snapshot } = startPlayer({ address: addressAt(first.from) })
      const search = () => snapshot().children.timeline?.getSnapshot().value
      send(picked(first.from, first, null), { type: 'moment.requested', at: now - 90 * hour })
      expect(search()).toBe('searching')
      send(event)
      expect(search()).toBe('idle')
    },
  )

  test('going live plays even if the archive was paused', () => {
    const { send, commands } = inArchive(first, first.from)
    send({ type: 'pause.requested' }, { type: 'live.requested' })
    expect(commands.at(-1)).toEqual({ type: 'controller.load', source: liveSource, isPlaying: true, rate: 1 })
  })

  test.each([
    ['paused', { ...stream, status: 'paused' as const }],
    ['unavailable', gone],
  ])('going live resets the speed, also while the stream is %s', (_, report) => {
    const { send, commands } = inArchive(first, first.from)
    send({ type: 'speed.chosen', rate: 4 }, { type: 'stream.reported', stream: report }, { type: 'live.requested' })
    send(picked(first.from, first, null))
    expect(commands.at(-1)).toMatchObject({ type: 'controller.load', isPlaying: true, rate: 1 })
  })
})
