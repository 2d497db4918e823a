import { selectEdge, selectIsArchive, selectIsPlaying, type ConductorRef } from '../../machines/mosaics/conductor.selectors.ts'

const ten = 10_000

/** What a key does to the archive of a mosaic; undefined for any other key. J and L, or arrows, go ten seconds. */
export function conductorKey(conductor: ConductorRef, key: string, clock: () => number | null): (() => void) | undefined {
  const snapshot = conductor.getSnapshot()
  const move = (by: number) => () => conductor.send({ type: 'moment.requested', at: Math.round((clock() ?? selectEdge(snapshot)) + by) })
  const back = { j: move(-ten), arrowleft: move(-ten) }
  const actions: Readonly<Record<string, () => void>> = selectIsArchive(snapshot)
    ? {
        ...back,
        l: move(ten),
        arrowright: move(ten),
        k: () => conductor.send({ type: selectIsPlaying(snapshot) ? 'pause.requested' : 'play.requested' }),
        ',': () => conductor.send({ type: 'step.requested', direction: -1 }),
        '.': () => conductor.send({ type: 'step.requested', direction: 1 }),
      }
    : back
  const name = key.toLowerCase()
  return Object.hasOwn(actions, name) ? actions[name] : undefined
}
