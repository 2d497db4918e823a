import type { Cluster } from '../cluster/cluster.ts'
import { guarded } from '../guarded.ts'
import { monotonicNow } from '../monotonic.ts'
import { streamOf, subOf } from './substream.ts'
import type { Supervisor } from './supervisor.ts'

/** A substream that has no picture for so long after the main one doesn't hold a hand-over up. */
const subMs = 4000

/** Takes streams over that this node joins, once main stream and substream have had a keyframe here. */
export const createHandOver = (
  cluster: Pick<Cluster, 'assignmentOf' | 'takeOver'>,
  supervisorOf: (recording: string) => Supervisor | undefined,
) => {
  const keyframes = new Map<string, number>()
  const taking = new Set<string>()

  const isReady = (uid: string): boolean => {
    const mainAt = keyframes.get(uid)
    if (mainAt === undefined) return false
    const sub = supervisorOf(subOf(uid))
    return sub === undefined || keyframes.has(subOf(uid)) || monotonicNow() - mainAt > subMs
  }

  const takeOver = guarded('hand-over', async (uid: string): Promise<void> => {
    taking.add(uid)
    try {
      await cluster.takeOver(uid)
    } finally {
      taking.delete(uid)
    }
  })

  return {
    noteKeyframe: (recording: string): void => {
      const uid = streamOf(recording)
      if (cluster.assignmentOf(uid) !== 'joining') return
      if (!keyframes.has(recording)) keyframes.set(recording, monotonicNow())
      if (isReady(uid) && !taking.has(uid)) takeOver(uid)
    },
    forget: (uid: string): void => {
      keyframes.delete(uid)
      keyframes.delete(subOf(uid))
    },
  }
}
