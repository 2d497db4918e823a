import { createActor, fromCallback, setup, SimulatedClock } from 'xstate'
import type { Source } from '../../src/api/media/controller/media-controller.ts'
import type { ControllerCommand, MediaEvent } from '../../src/machines/player/media.events.ts'
import { mediaMachine } from '../../src/machines/player/media.machine.ts'

export const live: Source = { kind: 'live', uid: 'gate' }
export const archive = { kind: 'archive', uid: 'gate', from: 1000, to: 9000 } as const
export const input = { sound: { volume: 0.8, isMuted: false }, rate: 1 }

/** For tests that run it without a parent. */
export const mediaAlone = mediaMachine.provide({
  actions: { notifyWaiting: () => undefined, notifySettled: () => undefined },
})

/** A media machine with a parent that records its events and a media controller that records its calls. */
export function startMedia() {
  const clock = new SimulatedClock()
  const commands: ControllerCommand[] = []
  const received: { type: string }[] = []
  const child = mediaMachine.provide({
    actors: {
      controller: fromCallback<ControllerCommand>(({ receive }) => {
        receive((command) => commands.push(command))
      }),
    },
  })
  const actor = createActor(
    setup({ actors: { child } }).createMachine({
      invoke: { id: 'media', src: 'child', input },
      on: { '*': { actions: ({ event }) => received.push(event) } },
    }),
    { clock },
  ).start()
  const ref = () => {
    const { media } = actor.getSnapshot().children
    if (media === undefined) throw new Error('the media has no actor')
    return media
  }
  const send = (...events: MediaEvent[]) => {
    for (const event of events) ref().send(event)
  }
  return { clock, commands, received, send, snapshot: () => ref().getSnapshot() }
}
