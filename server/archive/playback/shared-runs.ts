import type { Caller } from '../../access/access.ts'
import type { SegmentIndex } from '../index/segment-index.ts'

/** Whether a caller may have the init of a run: a share without live has those of its range. */
export const isRunShared = async (
  index: Pick<SegmentIndex, 'runsWithin'>,
  caller: Caller,
  recording: string,
  id: number,
): Promise<boolean> => {
  if (caller.kind !== 'share' || caller.range === undefined || caller.range.hasLive) return true
  const { from, to } = caller.range
  return (await index.runsWithin(recording, from, to)).some((run) => run.id === id)
}
