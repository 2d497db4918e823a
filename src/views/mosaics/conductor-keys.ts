import { actOf, mosaicArchiveKeys } from '../../machines/keyboard/bindings.ts'
import { selectEdge, selectIsArchive, selectIsPlaying, type ConductorRef } from '../../machines/mosaics/conductor.selectors.ts'

const ten = 10_000

/** What a key does to the archive of a mosaic; undefined for any other key. From live one can only go back. */
export function conductorKey(conductor: ConductorRef, key: string, clock: () => number | null): (() => void) | undefined {
  const snapshot = conductor.getSnapshot()
  const move = (by: number) => () => conductor.send({ type: 'moment.requested', at: Math.round((clock() ?? selectEdge(snapshot)) + by) })
  const acts: Readonly<Record<keyof typeof mosaicArchiveKeys, () => void>> = {
    back: move(-ten),
    forward: move(ten),
    toggle: () => conductor.send({ type: selectIsPlaying(snapshot) ? 'pause.requested' : 'play.requested' }),
    stepBack: () => conductor.send({ type: 'step.requested', direction: -1 }),
    stepForward: () => conductor.send({ type: 'step.requested', direction: 1 }),
  }
  const act = actOf(mosaicArchiveKeys, key)
  return act === undefined || (act !== 'back' && !selectIsArchive(snapshot)) ? undefined : acts[act]
}
