import { useLingui } from '@lingui/react/macro'
import type { PlanCamera } from '../../api/contract/plans.ts'
import type { Stream } from '../../api/contract/stream.ts'
import { formatPercent } from '../../i18n/formats.ts'
import { type Cluster, isStreamAvailable, shownStatus } from '../../machines/stream/stream.selectors.ts'
import { useStatusWord } from '../streams/stream-words.tsx'

/** `away`: the node of the stream isn't available, so that the state of the camera itself isn't known. */
export const signStatus = (stream: Stream, cluster: Cluster): string =>
  stream.status !== 'paused' && !isStreamAvailable(stream, cluster) ? 'away' : shownStatus(stream)

const stopped: ReadonlySet<string> = new Set(['failed', 'paused'])

/** Whether the camera's archive is on, but nothing is recorded. */
export const isRecordingLost = (stream: Stream, cluster: Cluster): boolean =>
  stream.archive.isEnable && stopped.has(signStatus(stream, cluster))

/** A camera's state in words: its node if that isn't available, else its status and whether its recording is lost. */
export function useStateWords(): (stream: Stream, cluster: Cluster) => string {
  const { t } = useLingui()
  const word = useStatusWord()
  return (stream, cluster) => {
    const shown = signStatus(stream, cluster)
    const node = stream.node.id
    if (shown === 'away') return node === '' ? t`No node` : t`Node ${node} not available`
    const status = word(shown)
    return isRecordingLost(stream, cluster) ? t`${status}, not recording` : status
  }
}

/** The position and direction of a camera on a plan. */
export function useCameraWords(): (camera: PlanCamera) => string {
  const { t } = useLingui()
  return ({ x, y, direction }) => {
    const [left, top] = [formatPercent(x, 1), formatPercent(y, 1)]
    return direction === undefined ? t`left ${left}, top ${top}` : t`left ${left}, top ${top}, direction ${direction}°`
  }
}
