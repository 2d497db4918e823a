import { fromCallback, fromPromise } from 'xstate'
import { createMetronome } from '../api/media/metronome.ts'
import type { Stage } from '../api/media/stage.ts'
import { conductorMachine } from '../machines/mosaics/conductor.machine.ts'
import type { LaneRef } from '../machines/mosaics/lane.machine.ts'
import type { MetronomeCommand } from '../machines/mosaics/conductor.events.ts'
import { laneMachine, type LaneEvent, type TileRef } from '../machines/mosaics/lane.machine.ts'
import type { createAddressKeeper } from './address-keeper.ts'
import { ranges } from './timeline.ts'
import { visibility } from './visibility.ts'

const tickMs = 250

/** Whether a tile shows the clock's moment, or can't: a gap, live, no right, or a trouble of its own. */
function isReady(lane: LaneRef, stageOf: (tile: object) => Stage): boolean {
  const snapshot = lane.getSnapshot()
  if (snapshot.hasTag('busy')) return false
  if (!snapshot.matches({ archive: 'recorded' })) return true
  const { tile } = snapshot.context
  return tile.getSnapshot().hasTag('error') || stageOf(tile).hasSettled()
}

/** The conductor with a clock of its own, and the pictures of its tiles kept at it. */
export function createConductor(stageOf: (tile: object) => Stage, keeper: ReturnType<typeof createAddressKeeper>) {
  const metronome = createMetronome(() => performance.now())
  const conductor = conductorMachine.provide({
    actors: {
      lane: laneMachine.provide({
        actors: {
          ranges,
          follow: fromCallback<LaneEvent, { tile: TileRef }>(({ input }) => {
            const stage = stageOf(input.tile)
            stage.follow(metronome.read)
            return () => stage.follow(null)
          }),
        },
      }),
      metronome: fromCallback<MetronomeCommand>(({ receive, sendBack }) => {
        const tick = () => sendBack({ type: 'metronome.ticked', at: Math.round(metronome.read().at), now: Date.now() })
        receive(({ at, rate }) => {
          metronome.set(at, rate)
          tick()
        })
        const timer = setInterval(tick, tickMs)
        return () => clearInterval(timer)
      }),
      gather: fromPromise(
        ({ input: { lanes }, signal }) =>
          new Promise<void>((resolve) => {
            const look = () => {
              if (signal.aborted || lanes.every((lane) => isReady(lane, stageOf))) resolve()
              else requestAnimationFrame(look)
            }
            // Not at once: the clock and the lanes hear of the moment after this begins.
            requestAnimationFrame(look)
          }),
      ),
      visibility,
    },
    /** Later: the root machine hears of it at once, and an action must not set off another machine's. */
    actions: { keepAddress: (_, { address, change }) => queueMicrotask(() => keeper.keep(address, change)) },
  })
  return { conductor, clock: () => metronome.read().at }
}
