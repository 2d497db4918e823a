import { createActor, fromCallback, fromPromise, setup, SimulatedClock, type AnyActorRef } from 'xstate'
import { describe, expect, test } from 'vitest'
import { settingsOf, streamOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import type { Interval } from '../timeline/intervals.ts'
import { timelineMachine } from '../timeline/timeline.machine.ts'
import { mediaMachine } from './media.machine.ts'
import type { MediaEvent, StageCommand } from './media.events.ts'
import { liveAddress, type PlayerAddress } from './address.ts'
import { playerMachine } from './player.machine.ts'
import type { PlayerEvent, PlayerInput } from './player.events.ts'

const hour = 3_600_000
const now = Date.UTC(2026, 10, 21, 12)
const first: Interval = { type: 'fragment', from: now - 5 * hour, to: now - 4 * hour }
const gap: Interval = { type: 'gap', from: now - 4 * hour, to: now - 3 * hour }
const second: Interval = { type: 'fragment', from: now - 3 * hour, to: now - 15_000 }
const live: Interval = { type: 'live', from: now - 15_000, to: now }
const trailing: Interval = { type: 'gap', from: now, to: now + hour }

const limits = settingsOf({ clusterEnabled: true, nodeId: 'here' })
const stream = streamOf({ node: { id: 'here', available: true } })
const gone = streamOf({ node: { id: 'there', available: false } })
const input: PlayerInput = {
  uid: 'gate', limits, now, stream, zones: { browser: 'UTC', server: 'Europe/Berlin' }, zoneChoice: 'browser', sound: { volume: 1, isMuted: false }, address: liveAddress, keeper: { kind: 'server' },
}
const addressAt = (at: number | null, given: Partial<PlayerAddress> = {}): PlayerAddress => ({ ...liveAddress, at, ...given })
const nothing = () => undefined
/** A timeline that answers nothing: what it would say is sent by the test. */
const timeline = timelineMachine.provide({ actions: { report: nothing } })

function start(given: Partial<PlayerInput> = {}) {
  const commands: StageCommand[] = []
  const asked: { type: string }[] = []
  const heard: string[] = []
  const kept: [string, PlayerAddress][] = []
  const child = playerMachine.provide({
    actors: {
      media: mediaMachine.provide({
        actors: {
          stage: fromCallback<StageCommand>(({ receive }) => {
            receive((command) => commands.push(command))
          }),
        },
      }),
      takeSnapshot: fromPromise(async () => undefined),
      timeline,
    },
    actions: { keepAddress: (_, { address, change }) => kept.push([change, address]) },
  })
  const actor = createActor(
    setup({ actors: { child } }).createMachine({
      invoke: { id: 'player', src: 'child', input: { ...input, ...given } },
      on: { '*': { actions: ({ event }) => heard.push(event.type) } },
    }),
    {
      clock: new SimulatedClock(),
      inspect: (inspection) => {
        if (inspection.type === '@xstate.event' && inspection.event.type.startsWith('timeline.')) asked.push(inspection.event)
      },
    },
  ).start()
  const ref = () => {
    const { player } = actor.getSnapshot().children
    if (player === undefined) throw new Error('the player has no actor')
    return player
  }
  const send = (...events: PlayerEvent[]) => {
    for (const event of events) ref().send(event)
  }
  const report = (...events: MediaEvent[]) => {
    const media: AnyActorRef | undefined = ref().getSnapshot().children['media']
    for (const event of events) media?.send(event)
  }
  return {
    commands,
    heard,
    kept,
    send,
    report,
    view: () => ref().getSnapshot().value.view,
    loads: () => commands.flatMap((command) => (command.type === 'stage.load' ? [command.source] : [])),
    questions: () => asked.filter(({ type }) => type.endsWith('Requested')),
    snapshot: () => ref().getSnapshot(),
  }
}

const picked = (at: number, interval: Interval, nextFragment: Interval | null): PlayerEvent => ({ type: 'timeline.picked', at, interval, nextFragment })
const archive = (from: number, to: number) => ({ kind: 'archive', uid: 'gate', from, to })
const liveSource = { kind: 'live', uid: 'gate' }

test('news of the stream between two ticks keep the timeline with the playhead', () => {
  const { send, snapshot } = start({ address: addressAt(now - hour, { span: 5 * 60_000 }) })
  const period = () => snapshot().children.timeline?.getSnapshot().context.period ?? { from: 0, to: 0 }
  const { to } = period()
  send({ type: 'clock.ticked', now, playing: to - 1000 }, { type: 'stream.reported', stream: { ...stream, bitrate: 1 } }, { type: 'clock.ticked', now, playing: to + 1000 })
  expect(period().to).toBeGreaterThan(to + 1000)
})

describe('live (spec.md §4)', () => {
  test('waits for what the server says of the stream, then plays', () => {
    const { view, loads, send } = start({ stream: null })
    expect([view(), loads()]).toEqual([{ live: 'deciding' }, []])
    send({ type: 'stream.reported', stream })
    expect([view(), loads()]).toEqual([{ live: 'watching' }, [liveSource]])
  })

  test('an unavailable stream goes to the empty state, with no playlist', () => {
    const { view, loads, send, commands } = start({ stream: gone })
    expect([view(), loads()]).toEqual([{ live: 'empty' }, []])
    send({ type: 'stream.reported', stream })
    expect([view(), loads()]).toEqual([{ live: 'watching' }, [liveSource]])
    send({ type: 'stream.reported', stream: gone })
    expect([view(), commands.at(-1)]).toEqual([{ live: 'empty' }, { type: 'stage.unload' }])
  })

  test('a stream that was paused rests until it is resumed', () => {
    const { view, send, loads } = start({ stream: { ...stream, status: 'paused' } })
    expect([view(), loads()]).toEqual([{ live: 'halted' }, []])
    send({ type: 'stream.reported', stream })
    expect(view()).toEqual({ live: 'watching' })
  })

  test('a stream that runs again is not waited for', () => {
    const { report, send, loads } = start({ stream: { ...stream, status: 'failed' } })
    report({ type: 'engine.failed', failure: 'missing', at: null })
    expect(loads().length).toBe(1)
    send({ type: 'stream.reported', stream })
    expect(loads().length).toBe(2)
  })

  test('tells when it plays, so that the lease is extended, and when it ceases to', () => {
    const { report, send, heard } = start()
    report({ type: 'engine.loaded', from: 0, to: 1 }, { type: 'engine.played' })
    expect(heard).toEqual(['stream.playing'])
    send(picked(first.from, first, null))
    expect(heard.at(-1)).toBe('stream.idle')
    report({ type: 'engine.loaded', from: first.from, to: first.to }, { type: 'engine.played' })
    expect(heard.at(-1)).toBe('stream.idle')
  })
})

describe('live to archive (spec.md §4)', () => {
  test('a fragment: the playlist gets start and end', () => {
    const { send, loads, view } = start()
    send(picked(first.from + 1000, first, null))
    expect([view(), loads().at(-1)]).toEqual([{ archive: 'inFragment' }, archive(first.from + 1000, first.to)])
  })

  test('a gap followed by a fragment: that fragment', () => {
    const { send, loads } = start()
    send(picked(gap.from + 1000, gap, second))
    expect(loads().at(-1)).toEqual(archive(second.from, second.from + hour))
  })

  test('a trailing gap does nothing', () => {
    const { send, loads, view } = start()
    send(picked(now + 1000, trailing, null))
    expect([view(), loads()]).toEqual([{ live: 'watching' }, [liveSource]])
  })

  test('a playlist never asks for more than playlistMaxSeconds', () => {
    const { send, loads } = start({ limits: settingsOf({ playlistMaxSeconds: 600 }) })
    send(picked(first.from, first, null))
    expect(loads().at(-1)).toEqual(archive(first.from, first.from + 600_000))
  })

  test('an address with a moment opens the archive there', () => {
    const { view, loads, questions, send } = start({ address: addressAt(first.from + 5) })
    expect([view(), loads(), questions()]).toEqual([{ archive: 'inGap' }, [], [{ type: 'timeline.pickRequested', at: first.from + 5 }]])
    send(picked(first.from + 5, first, null))
    expect(loads()).toEqual([archive(first.from + 5, first.to)])
  })
})

describe('archive', () => {
  const inArchive = (fragment: Interval, at: number, given: Partial<PlayerInput> = {}) => {
    const player = start(given)
    player.send(picked(at, fragment, null))
    player.report({ type: 'engine.loaded', from: at, to: Math.min(fragment.to, at + hour) }, { type: 'engine.played' })
    return player
  }

  test('at the end of a fragment the next fragment continues, after a gap the one after it', () => {
    const { report, send, questions, view, loads } = inArchive(first, first.to - 60_000)
    report({ type: 'engine.ended', at: first.to + 60_000 })
    expect([view(), questions()]).toEqual([{ archive: 'inGap' }, [{ type: 'timeline.pickRequested', at: first.to + 60_000 }]])
    send(picked(first.to + 60_000, gap, second))
    expect([view(), loads().at(-1)]).toEqual([{ archive: 'inFragment' }, archive(second.from, second.from + hour)])
  })

  test('a stretch longer than one playlist goes on in the next one', () => {
    const { report, send, loads } = inArchive(second, second.from)
    report({ type: 'engine.ended', at: second.from + hour })
    send(picked(second.from + hour, second, null))
    expect(loads().at(-1)).toEqual(archive(second.from + hour, second.from + 2 * hour))
  })

  test('a video that ends before its stretch has ended its fragment', () => {
    const { report, send, questions, loads } = inArchive(first, first.from)
    report({ type: 'engine.ended', at: first.from + 4000 })
    expect(questions().at(-1)).toEqual({ type: 'timeline.nextRequested', after: first.from + 4000 })
    send({ type: 'timeline.nextFound', after: first.from + 4000, next: second })
    expect(loads().at(-1)).toEqual(archive(second.from, second.from + hour))
  })

  test('when the video ends and the next interval is live it goes live, at normal speed', () => {
    const { report, send, view, commands, loads } = inArchive(second, second.to - 1000)
    send({ type: 'speed.chosen', rate: 16 })
    report({ type: 'engine.ended', at: second.to })
    send(picked(now - 1000, live, null))
    expect([view(), loads().at(-1)]).toEqual([{ live: 'watching' }, liveSource])
    expect(commands.at(-1)).toEqual({ type: 'stage.load', source: liveSource, isPlaying: true, rate: 1 })
  })

  test('when nothing follows it goes live, and stays at the end where live cannot be had', () => {
    const reachable = inArchive(first, first.from)
    reachable.report({ type: 'engine.ended', at: first.to })
    reachable.send(picked(first.to, gap, null))
    expect(reachable.view()).toEqual({ live: 'watching' })
    const alone = inArchive(first, first.from, { stream: gone })
    alone.report({ type: 'engine.ended', at: first.to })
    alone.send(picked(first.to, gap, null))
    expect(alone.view()).toEqual({ archive: 'atEnd' })
    alone.send({ type: 'play.requested' })
    expect(alone.view()).toEqual({ archive: 'inGap' })
  })

  test('picking live goes live', () => {
    const { send, view } = inArchive(first, first.from)
    send(picked(now - 1000, live, null))
    expect(view()).toEqual({ live: 'watching' })
  })

  test('a trailing gap does nothing', () => {
    const { send, view, commands } = inArchive(first, first.from)
    const before = commands.length
    send(picked(now + 1000, trailing, null))
    expect([view(), commands.length]).toEqual([{ archive: 'inFragment' }, before])
  })

  test('panels, the screen and snapshots leave the view alone', () => {
    const { send, snapshot, commands } = inArchive(first, first.from)
    const before = commands.length
    send({ type: 'panel.opened', panel: 'download', at: first.from }, { type: 'panel.opened', panel: 'calendar', at: null })
    send({ type: 'panel.closed' }, { type: 'screen.filled' }, { type: 'snapshot.requested' })
    expect(snapshot().value).toEqual({ view: { archive: 'inFragment' }, screen: 'full', panel: 'closed', snapshot: 'taking' })
    expect(commands.length).toBe(before)
  })

  test('a snapshot that can not be saved is told', async () => {
    const told: string[] = []
    const child = playerMachine.provide({
      actors: { media: mediaMachine.provide({ actors: { stage: fromCallback(nothing) } }), timeline, takeSnapshot: fromPromise(() => Promise.reject(new Error('full'))) },
      actions: { tellFailure: (_, { code }) => told.push(code) },
    })
    const actor = createActor(child, { input, clock: new SimulatedClock() }).start()
    actor.send({ type: 'snapshot.requested' })
    await new Promise((resolve) => setImmediate(resolve))
    expect({ told, snapshot: actor.getSnapshot().value.snapshot }).toEqual({ told: ['SnapshotFailed'], snapshot: 'idle' })
    actor.stop()
  })

  test('going live plays, though the archive was paused', () => {
    const { send, commands } = inArchive(first, first.from)
    send({ type: 'pause.requested' }, { type: 'live.requested' })
    expect(commands.at(-1)).toEqual({ type: 'stage.load', source: liveSource, isPlaying: true, rate: 1 })
  })
})

describe('the address (issue 3, "The URL is the state")', () => {
  const watching = (at: number, given: Partial<PlayerAddress> = {}) => {
    const player = start({ address: addressAt(at, given) })
    player.send(picked(at, first, null))
    player.report({ type: 'engine.loaded', from: at, to: first.to }, { type: 'engine.played' })
    return player
  }

  test('going elsewhere is a step of history, arriving where the address asked for is none', () => {
    const { send, kept } = start({ address: addressAt(gap.from) })
    send(picked(gap.from, gap, second))
    expect(kept).toEqual([['changed', addressAt(second.from)]])
    send(picked(first.from, first, null), { type: 'live.requested' })
    expect(kept.slice(1)).toEqual([['arrived', addressAt(first.from)], ['arrived', liveAddress]])
  })

  test('it follows what is played, and what follows that', () => {
    const { send, report, kept } = watching(first.from)
    kept.length = 0
    send({ type: 'clock.ticked', now: now + 1000, playing: first.from + 1000 })
    report({ type: 'engine.ended', at: first.to })
    send(picked(first.to, gap, second))
    expect(kept).toEqual([['advanced', addressAt(first.from + 1000)], ['changed', addressAt(second.from)]])
  })

  test('what the player wrote itself changes nothing', () => {
    const { send, questions, commands, kept } = watching(first.from)
    send({ type: 'speed.chosen', rate: 4 }, { type: 'timeline.spanChanged', span: hour }, { type: 'selection.changed', selection: { from: first.from, to: first.to } })
    const before = [questions().length, commands.length]
    const written = kept.at(-1)?.[1] ?? liveAddress
    expect(written).toEqual(addressAt(first.from, { speed: 4, span: hour, selection: { from: first.from, to: first.to } }))
    send({ type: 'address.moved', address: written })
    expect([questions().length, commands.length]).toEqual(before)
  })

  test('going back leads to the moment, the speed, the span and the selection of then', () => {
    const { send, questions, commands, snapshot } = watching(first.from)
    const then = addressAt(first.from + 7000, { speed: 2, span: hour, selection: { from: first.from, to: first.from + 60_000 }, isLooping: true })
    send({ type: 'address.moved', address: then })
    expect(questions().at(-1)).toEqual({ type: 'timeline.pickRequested', at: first.from + 7000 })
    expect(commands).toContainEqual({ type: 'stage.setRate', rate: 2 })
    expect(commands.at(-1)).toEqual({ type: 'stage.setLoop', loop: then.selection })
    send(picked(first.from + 7000, first, null))
    expect(snapshot().context.address).toEqual(then)
    send({ type: 'address.moved', address: liveAddress })
    expect([snapshot().value.view, snapshot().context.address]).toEqual([{ live: 'watching' }, liveAddress])
  })

  test('the usual span is not worth saying', () => {
    const { send, kept } = start()
    send({ type: 'timeline.spanChanged', span: hour }, { type: 'timeline.spanChanged', span: 23 * hour })
    expect(kept.map(([, { span }]) => span)).toEqual([hour, null])
  })
})

describe('a loop', () => {
  const selection = { from: first.from + 1000, to: first.from + 61_000 }
  const looping = (given: Partial<PlayerAddress> = {}) => {
    const player = start({ address: addressAt(first.from, { selection, ...given }) })
    player.send(picked(first.from, first, null))
    player.report({ type: 'engine.loaded', from: first.from, to: first.to }, { type: 'engine.played' })
    player.send({ type: 'loop.toggled' })
    return player
  }

  test('needs a selection', () => {
    const { send, snapshot } = start()
    send({ type: 'loop.toggled' })
    expect(snapshot().context.address.isLooping).toBe(false)
  })

  test('goes to its start from elsewhere, and the stage repeats it', () => {
    const { commands, questions } = looping()
    expect(commands).toContainEqual({ type: 'stage.setLoop', loop: selection })
    expect(questions().at(-1)).toEqual({ type: 'timeline.pickRequested', at: selection.from })
  })

  test('begins anew where the stage could not, and where its recording ends before it does', () => {
    const { send, report, questions, view, snapshot } = looping()
    send(picked(selection.from, first, null))
    report({ type: 'engine.loopEnded' })
    expect(questions().at(-1)).toEqual({ type: 'timeline.pickRequested', at: selection.from })
    report({ type: 'engine.ended', at: first.from + 30_000 })
    send({ type: 'timeline.nextFound', after: first.from + 30_000, next: second })
    expect([view(), questions().at(-1)]).toEqual([{ archive: 'inGap' }, { type: 'timeline.pickRequested', at: selection.from }])
    send(picked(selection.from, first, null))
    expect([view(), snapshot().context.address.isLooping]).toEqual([{ archive: 'inFragment' }, true])
  })

  test('with nothing recorded in it goes on to what follows, and is over', () => {
    const { send, report, view, snapshot } = looping()
    report({ type: 'engine.ended', at: first.from + 30_000 })
    send(picked(selection.from, gap, second))
    expect([view(), snapshot().context.address.isLooping]).toEqual([{ archive: 'inFragment' }, false])
  })

  test('is over when the viewer goes out of it, goes live or clears the selection', () => {
    const away = looping()
    away.send(picked(first.to - 1000, first, null))
    expect([away.commands.at(-2), away.snapshot().context.address.isLooping]).toEqual([{ type: 'stage.setLoop', loop: null }, false])
    const live = looping()
    live.send({ type: 'live.requested' })
    expect(live.snapshot().context.address).toEqual(addressAt(null, { selection }))
    const cleared = looping()
    cleared.send({ type: 'selection.changed', selection: null })
    expect(cleared.snapshot().context.address).toEqual(addressAt(first.from))
  })
})

test('a guest keeps no bookmarks', () => {
  const { send, snapshot } = start({ keeper: null })
  send({ type: 'panel.opened', panel: 'bookmark', at: first.from })
  expect(snapshot().value.panel).toBe('closed')
})

test('skipping finds fragments and annotations', () => {
  const { send, questions } = start()
  send({ type: 'skip.requested', to: 'annotation', direction: -1, at: now })
  expect(questions().at(-1)).toEqual({ type: 'timeline.markRequested', direction: -1, at: now })
  send({ type: 'timeline.markFound', at: first.from + 20 })
  expect(questions().at(-1)).toEqual({ type: 'timeline.pickRequested', at: first.from + 20 })
  send({ type: 'timeline.markFound', at: null }, { type: 'skip.requested', to: 'fragment', direction: -1, at: now })
  expect(questions().at(-1)).toEqual({ type: 'timeline.previousRequested', before: now })
})

test('a chosen zone is shown, and the browser\'s where it can\'t be had', () => {
  const { send, snapshot } = start()
  send({ type: 'zone.chosen', choice: 'server' })
  expect(snapshot().context.zone).toBe('Europe/Berlin')
  send({ type: 'zone.chosen', choice: 'Nowhere/Else' })
  expect(snapshot().context.zone).toBe('UTC')
})

test('every edge of the chart is walked', () => {
  const own = {
    'stream.reported': [stream, gone, { ...stream, status: 'paused' }].map((one) => ({ type: 'stream.reported' as const, stream: one })),
    'clock.ticked': [{ type: 'clock.ticked', now, playing: null }],
    'live.requested': [{ type: 'live.requested' }],
    'moment.requested': [{ type: 'moment.requested', at: now }],
    'play.requested': [{ type: 'play.requested' }],
    'pause.requested': [{ type: 'pause.requested' }],
    'retry.requested': [{ type: 'retry.requested' }],
    'speed.chosen': [{ type: 'speed.chosen', rate: 2 }],
    'volume.chosen': [{ type: 'volume.chosen', volume: 0.2 }],
    'mute.toggled': [{ type: 'mute.toggled' }],
    'step.requested': [{ type: 'step.requested', direction: -1 }],
    'skip.requested': (['fragment', 'annotation'] as const).map((to) => ({ type: 'skip.requested' as const, to, direction: 1 as const, at: now })),
    'loop.toggled': [{ type: 'loop.toggled' }],
    'zone.chosen': [{ type: 'zone.chosen', choice: 'server' }],
    'selection.changed': [{ type: 'selection.changed', selection: { from: first.from, to: first.from + 60_000 } }],
    'fullScreen.toggled': [{ type: 'fullScreen.toggled' }],
    'screen.filled': [{ type: 'screen.filled' }],
    'screen.left': [{ type: 'screen.left' }],
    'panel.opened': [{ type: 'panel.opened', panel: 'calendar', at: null }, { type: 'panel.opened', panel: 'download', at: first.from }, { type: 'panel.opened', panel: 'bookmark', at: first.from }],
    'bookmark.kept': [{ type: 'bookmark.kept', bookmark: { id: 'one', streamId: 'gate', time: first.from, note: '' } }],
    'panel.closed': [{ type: 'panel.closed' }],
    'clip.chosen': [{ type: 'clip.chosen', from: first.from, to: first.to }],
    'snapshot.requested': [{ type: 'snapshot.requested' }],
    'address.moved': [addressAt(first.from), liveAddress].map((address) => ({ type: 'address.moved' as const, address })),
    'media.loaded': [{ type: 'media.loaded', kind: 'live', from: 0, to: 1 }],
    'media.running': [{ type: 'media.running', kind: 'live' }, { type: 'media.running', kind: 'archive' }],
    'media.resting': [{ type: 'media.resting' }],
    'media.ended': [{ type: 'media.ended', at: first.to }],
    'media.windowMoved': [{ type: 'media.windowMoved', from: now - 9000, to: now }],
    'media.edgeReached': [{ type: 'media.edgeReached' }],
    'media.loopEnded': [{ type: 'media.loopEnded' }],
    'timeline.markFound': [{ type: 'timeline.markFound', at: null }, { type: 'timeline.markFound', at: first.from }],
    'timeline.spanChanged': [{ type: 'timeline.spanChanged', span: hour }],
    'timeline.picked': [
      { type: 'timeline.picked', at: now, interval: live, nextFragment: null },
      { type: 'timeline.picked', at: first.from, interval: first, nextFragment: null },
      { type: 'timeline.picked', at: gap.from, interval: gap, nextFragment: second },
      { type: 'timeline.picked', at: now, interval: trailing, nextFragment: null },
    ],
    'timeline.nextFound': [live, second, null].map((next) => ({ type: 'timeline.nextFound' as const, after: now, next })),
    'timeline.previousFound': [{ type: 'timeline.previousFound', before: now, previous: first }],
  } satisfies { [Type in PlayerEvent['type']]: Extract<PlayerEvent, { type: Type }>[] }
  /** What decides what is seen; the rest is the same wherever the view is, and walked beside a view that stands still. */
  const deciding = ['stream.', 'clock.', 'live.', 'play.', 'address.', 'media.ended', 'timeline.picked', 'timeline.nextFound', 'timeline.previousFound']
  const all = Object.values(own).flat()
  const decides = ({ type }: PlayerEvent) => deciding.some((prefix) => type.startsWith(prefix))
  const walk = (given: Partial<PlayerInput>, events: readonly PlayerEvent[]) =>
    walkEdges(playerMachine.provide({ actors: { timeline } }), {
      model: playerMachine.provide({
        actions: { tellPlaying: nothing, tellIdle: nothing },
      }),
      input: { ...input, ...given },
      events: [
        ...events,
        { type: 'xstate.done.actor.bookmark', output: undefined },
        { type: 'xstate.done.actor.takeSnapshot', output: undefined },
        { type: 'xstate.error.actor.takeSnapshot', error: new Error('broken') },
      ],
      name: ({ value, context }) => JSON.stringify([value, context.stream?.status, context.stream?.node.id, context.address.at === null, context.address.selection !== null, context.address.isLooping]),
    })
  const beside = ['fullScreen.', 'screen.', 'panel.', 'clip.', 'bookmark.', 'snapshot.']
  const isBeside = ({ type }: PlayerEvent) => beside.some((prefix) => type.startsWith(prefix))
  const ofView = all.filter(decides)
  const looping = addressAt(first.from, { selection: { from: first.from - 60_000, to: first.from + 60_000 }, isLooping: true })
  const walks = [
    walk({ stream: null }, ofView),
    walk({ address: addressAt(first.from) }, ofView),
    walk({ address: looping }, ofView.filter(({ type }) => type.startsWith('timeline.') || type === 'media.ended')),
    walk({}, all.filter((event) => !decides(event) && !isBeside(event))),
    walk({}, [...all.filter(isBeside), picked(now - 1000, live, null)]),
  ]
  expect(walks.flatMap(({ strayed }) => strayed)).toEqual([])
  expect([...new Set(walks.flatMap(({ covered }) => covered))].toSorted()).toEqual(walks[0]?.declared)
})
