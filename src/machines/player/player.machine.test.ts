import { expect, test } from 'vitest'
import { walkEdges } from '../../../tests/machines/edges.ts'
import {
  addressAt,
  first,
  gap,
  gone,
  hour,
  input,
  live,
  nothing,
  now,
  picked,
  second,
  startPlayer,
  stream,
  timeline,
  trailing,
} from '../../../tests/machines/player.ts'
import { liveAddress } from './address.ts'
import type { PlayerEvent, PlayerInput } from './player.events.ts'
import { playerMachine } from './player.machine.ts'

test('a stream report between two ticks keeps the timeline at the playhead', () => {
  const { send, snapshot } = startPlayer({ address: addressAt(now - hour, { span: 5 * 60_000 }) })
  const period = () => snapshot().children.timeline?.getSnapshot().context.period ?? { from: 0, to: 0 }
  const { to } = period()
  send(
    { type: 'clock.ticked', now, playhead: to - 1000 },
    { type: 'stream.reported', stream: { ...stream, bitrate: 1 } },
    { type: 'clock.ticked', now, playhead: to + 1000 },
  )
  expect(period().to).toBeGreaterThan(to + 1000)
})

test("a guest can't add bookmarks", () => {
  const { send, snapshot } = startPlayer({ bookmarkLocation: null })
  send({ type: 'panel.opened', panel: 'bookmark', at: first.from })
  expect(snapshot().value.panel).toBe('closed')
})

test('skipping finds fragments and annotations', () => {
  const { send, requests } = startPlayer()
  send({ type: 'skip.requested', to: 'annotation', direction: -1, at: now })
  expect(requests().at(-1)).toEqual({ type: 'timeline.annotationRequested', direction: -1, at: now })
  send({ type: 'timeline.annotationFound', at: first.from + 20 })
  expect(requests().at(-1)).toEqual({ type: 'timeline.pickRequested', at: first.from + 20 })
  send(
    { type: 'timeline.annotationFound', at: null },
    { type: 'skip.requested', to: 'fragment', direction: -1, at: now },
  )
  expect(requests().at(-1)).toEqual({ type: 'timeline.previousRequested', before: now })
})

test("the chosen zone is used, and the browser's if it is invalid", () => {
  const { send, snapshot } = startPlayer()
  send({ type: 'zone.chosen', choice: 'server' })
  expect(snapshot().context.zone).toBe('Europe/Berlin')
  send({ type: 'zone.chosen', choice: 'Nowhere/Else' })
  expect(snapshot().context.zone).toBe('UTC')
})

test('every edge of the chart is walked', () => {
  const own = {
    'stream.reported': [stream, gone, { ...stream, status: 'paused' }].map((one) => ({
      type: 'stream.reported' as const,
      stream: one,
    })),
    'clock.ticked': [{ type: 'clock.ticked', now, playhead: null }],
    'live.requested': [{ type: 'live.requested' }],
    'moment.requested': [{ type: 'moment.requested', at: now }],
    'play.requested': [{ type: 'play.requested' }],
    'pause.requested': [{ type: 'pause.requested' }],
    'retry.requested': [{ type: 'retry.requested' }],
    'speed.chosen': [{ type: 'speed.chosen', rate: 2 }],
    'reverse.requested': [{ type: 'reverse.requested', rate: -2 }],
    'volume.chosen': [{ type: 'volume.chosen', volume: 0.2 }],
    'mute.toggled': [{ type: 'mute.toggled' }],
    'step.requested': [{ type: 'step.requested', direction: -1 }],
    'skip.requested': (['fragment', 'annotation'] as const).map((to) => ({
      type: 'skip.requested' as const,
      to,
      direction: 1 as const,
      at: now,
    })),
    'loop.toggled': [{ type: 'loop.toggled' }],
    'zone.chosen': [{ type: 'zone.chosen', choice: 'server' }],
    'selection.changed': [{ type: 'selection.changed', selection: { from: first.from, to: first.from + 60_000 } }],
    'fullScreen.toggled': [{ type: 'fullScreen.toggled' }],
    'screen.filled': [{ type: 'screen.filled' }],
    'screen.left': [{ type: 'screen.left' }],
    'panel.opened': [
      { type: 'panel.opened', panel: 'calendar', at: null },
      { type: 'panel.opened', panel: 'download', at: first.from },
      { type: 'panel.opened', panel: 'bookmark', at: first.from },
    ],
    'panel.closed': [{ type: 'panel.closed' }],
    'clip.chosen': [{ type: 'clip.chosen', from: first.from, to: first.to }],
    'snapshot.requested': [{ type: 'snapshot.requested' }],
    'address.moved': [addressAt(first.from), liveAddress].map((address) => ({
      type: 'address.moved' as const,
      address,
    })),
    'media.running': [
      { type: 'media.running', kind: 'live' },
      { type: 'media.running', kind: 'archive' },
    ],
    'media.resting': [{ type: 'media.resting' }],
    'media.waiting': [{ type: 'media.waiting', at: first.from }],
    'media.settled': [{ type: 'media.settled' }],
    'media.ended': [{ type: 'media.ended', at: first.to, to: first.to }],
    'media.windowMoved': [{ type: 'media.windowMoved', from: now - 9000, to: now }],
    'media.loopEnded': [{ type: 'media.loopEnded' }],
    'media.startReached': [first.from - 60_000, second.from].map((at) => ({ type: 'media.startReached' as const, at })),
    'timeline.annotationFound': [
      { type: 'timeline.annotationFound', at: null },
      { type: 'timeline.annotationFound', at: first.from },
    ],
    'timeline.spanChanged': [{ type: 'timeline.spanChanged', span: hour }],
    'timeline.picked': [
      { type: 'timeline.picked', at: now, interval: live, nextFragment: null },
      { type: 'timeline.picked', at: first.from, interval: first, nextFragment: null },
      { type: 'timeline.picked', at: gap.from, interval: gap, nextFragment: second },
      { type: 'timeline.picked', at: now, interval: trailing, nextFragment: null },
    ],
    'timeline.nextFound': [live, second, null].map((next) => ({
      type: 'timeline.nextFound' as const,
      after: now,
      next,
    })),
    'timeline.precedingFound': [first, null].map((preceding) => ({
      type: 'timeline.precedingFound' as const,
      before: now,
      preceding,
    })),
    'timeline.previousFound': [first, null].map((previous) => ({
      type: 'timeline.previousFound' as const,
      before: now,
      previous,
    })),
  } satisfies { [Type in PlayerEvent['type']]: Extract<PlayerEvent, { type: Type }>[] }
  /** The events that change the view. Others do the same in each of its states, and are walked in one of them. */
  const viewEvents = [
    'stream.',
    'clock.',
    'live.',
    'play.',
    'address.',
    'media.ended',
    'timeline.picked',
    'timeline.nextFound',
    'timeline.previousFound',
    'timeline.annotationFound',
  ]
  const reverseEvents = [
    'reverse.',
    'pause.',
    'play.',
    'speed.',
    'step.',
    'media.ended',
    'media.startReached',
    'timeline.picked',
    'timeline.nextFound',
    'timeline.precedingFound',
    'timeline.previousFound',
    'timeline.annotationFound',
  ]
  const concernsReverse = ({ type }: PlayerEvent) => reverseEvents.some((prefix) => type.startsWith(prefix))
  const all = Object.values(own).flat()
  const changesView = ({ type }: PlayerEvent) => viewEvents.some((prefix) => type.startsWith(prefix))
  const walk = (overrides: Partial<PlayerInput>, events: readonly PlayerEvent[]) =>
    walkEdges(playerMachine.provide({ actors: { timeline } }), {
      model: playerMachine.provide({
        actions: { notifyPlaying: nothing, notifyIdle: nothing },
      }),
      input: { ...input, ...overrides },
      events: [
        ...events,
        { type: 'xstate.done.actor.bookmark', output: undefined },
        { type: 'xstate.done.actor.takeSnapshot', output: undefined },
        { type: 'xstate.error.actor.takeSnapshot', error: new Error('broken') },
      ],
      name: ({ value, context }) =>
        JSON.stringify([
          value,
          context.stream?.status,
          context.stream?.node.id,
          context.address.at === null,
          context.address.selection !== null,
          context.address.isLooping,
        ]),
    })
  const otherRegions = ['fullScreen.', 'screen.', 'panel.', 'clip.', 'bookmark.', 'snapshot.']
  const isOfOtherRegion = ({ type }: PlayerEvent) => otherRegions.some((prefix) => type.startsWith(prefix))
  const ofView = all.filter(changesView)
  const looping = addressAt(first.from, {
    selection: { from: first.from - 60_000, to: first.from + 60_000 },
    isLooping: true,
  })
  const walks = [
    walk({ stream: null }, ofView),
    walk({ address: addressAt(first.from) }, ofView),
    walk({ address: looping, stream: gone }, all.filter(concernsReverse)),
    walk(
      { address: looping },
      ofView.filter(({ type }) => type.startsWith('timeline.') || type === 'media.ended'),
    ),
    walk(
      {},
      all.filter((event) => !changesView(event) && !isOfOtherRegion(event)),
    ),
    walk({}, [...all.filter(isOfOtherRegion), picked(now - 1000, live, null)]),
  ]
  expect(walks.flatMap(({ strayed }) => strayed)).toEqual([])
  expect([...new Set(walks.flatMap(({ covered }) => covered))].toSorted()).toEqual(walks[0]?.declared)
})

test('the timeline asks again once the user has the right to the archive', () => {
  const { send, permissions } = startPlayer()
  const permitted = { ...stream, meta: { ...stream.meta, canViewArchive: true } }
  send({ type: 'stream.reported', stream })
  expect(permissions()).toBe(0)
  for (const viewers of [2, 3]) send({ type: 'stream.reported', stream: { ...permitted, viewers } })
  expect(permissions()).toBe(1)
})
