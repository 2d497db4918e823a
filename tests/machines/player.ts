import { createActor, fromCallback, fromPromise, setup, SimulatedClock, type AnyActorRef } from 'xstate'
import { liveAddress, type PlayerAddress } from '../../src/machines/player/address.ts'
import { mediaMachine } from '../../src/machines/player/media.machine.ts'
import type { MediaEvent, ControllerCommand } from '../../src/machines/player/media.events.ts'
import type { PlayerEvent, PlayerInput } from '../../src/machines/player/player.events.ts'
import { playerMachine } from '../../src/machines/player/player.machine.ts'
import type { Interval } from '../../src/machines/timeline/intervals.ts'
import { timelineMachine } from '../../src/machines/timeline/timeline.machine.ts'
import { settingsOf, streamOf } from '../fixtures/replies.ts'

export const hour = 3_600_000
export const now = Date.UTC(2026, 10, 21, 12)
export const first: Interval = { type: 'fragment', from: now - 5 * hour, to: now - 4 * hour }
export const gap: Interval = { type: 'gap', from: now - 4 * hour, to: now - 3 * hour }
export const second: Interval = { type: 'fragment', from: now - 3 * hour, to: now - 15_000 }
export const live: Interval = { type: 'live', from: now - 15_000, to: now }
export const trailing: Interval = { type: 'gap', from: now, to: now + hour }

const limits = settingsOf({ clusterEnabled: true, nodeId: 'here' })
export const stream = streamOf({ node: { id: 'here', available: true } })
export const gone = streamOf({ node: { id: 'there', available: false } })
export const input: PlayerInput = {
  uid: 'gate',
  limits,
  now,
  stream,
  zones: { browser: 'UTC', server: 'Europe/Berlin' },
  zoneChoice: 'browser',
  sound: { volume: 1, isMuted: false },
  address: liveAddress,
  bookmarkLocation: { kind: 'server' },
}
export const addressAt = (at: number | null, given: Partial<PlayerAddress> = {}): PlayerAddress => ({
  ...liveAddress,
  at,
  ...given,
})
export const nothing = () => undefined
/** A timeline that reports nothing; the test sends its reports. */
export const timeline = timelineMachine.provide({ actions: { report: nothing } })

/**
 * A player with a parent that records its events, and with a media controller and a timeline that do nothing by
 * themselves.
 */
export function startPlayer(given: Partial<PlayerInput> = {}) {
  const commands: ControllerCommand[] = []
  const asked: { type: string }[] = []
  const received: string[] = []
  const writes: [string, PlayerAddress][] = []
  const child = playerMachine.provide({
    actors: {
      media: mediaMachine.provide({
        actors: {
          controller: fromCallback<ControllerCommand>(({ receive }) => {
            receive((command) => commands.push(command))
          }),
        },
      }),
      takeSnapshot: fromPromise(async () => undefined),
      timeline,
    },
    actions: { writeAddress: (_, { address, change }) => writes.push([change, address]) },
  })
  const actor = createActor(
    setup({ actors: { child } }).createMachine({
      invoke: { id: 'player', src: 'child', input: { ...input, ...given } },
      on: { '*': { actions: ({ event }) => received.push(event.type) } },
    }),
    {
      clock: new SimulatedClock(),
      inspect: (inspection) => {
        if (inspection.type === '@xstate.event' && inspection.event.type.startsWith('timeline.'))
          asked.push(inspection.event)
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
    received,
    writes,
    send,
    report,
    view: () => ref().getSnapshot().value.view,
    loads: () => commands.flatMap((command) => (command.type === 'controller.load' ? [command.source] : [])),
    permissions: () => asked.filter(({ type }) => type === 'timeline.permitted').length,
    requests: () => asked.filter(({ type }) => type.endsWith('Requested')),
    snapshot: () => ref().getSnapshot(),
  }
}

export const picked = (at: number, interval: Interval, nextFragment: Interval | null): PlayerEvent => ({
  type: 'timeline.picked',
  at,
  interval,
  nextFragment,
})
export const archive = (from: number, to: number) => ({ kind: 'archive', uid: 'gate', from, to })
export const liveSource = { kind: 'live', uid: 'gate' }

/** A player in the archive, at the beginning of the first fragment. `onCommand`: called by its media controller. */
export function openArchive(onCommand: (command: ControllerCommand) => void = nothing) {
  const controller = fromCallback<ControllerCommand>(({ receive }) => receive(onCommand))
  const player = createActor(
    playerMachine.provide({
      actors: { media: mediaMachine.provide({ actors: { controller } }), timeline },
      actions: { notifyPlaying: nothing, notifyIdle: nothing, writeAddress: nothing },
    }),
    { input, clock: new SimulatedClock() },
  ).start()
  const { media } = player.getSnapshot().children
  if (media === undefined) throw new Error('the player has no media')
  player.send(picked(first.from, first, null))
  return { player, media }
}
