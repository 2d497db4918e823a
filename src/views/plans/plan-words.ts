import { useLingui } from '@lingui/react/macro'
import type { PlanCamera } from '../../api/contract/plans.ts'
import type { Stream } from '../../api/contract/stream.ts'
import { formatNumber } from '../../i18n/formats.ts'
import { shownStatus } from '../../machines/stream/stream.selectors.ts'
import { useStatusWord } from '../streams/stream-words.tsx'

const stopped: ReadonlySet<string> = new Set(['failed', 'paused'])

/** The camera should be recorded, and isn't. */
export const isRecordingLost = ({ archive, status }: Pick<Stream, 'archive' | 'status'>): boolean =>
  archive.isEnable && stopped.has(status)

/** A camera's state in words: status, and whether it isn't recorded though it should be. */
export function useStateWords(): (stream: Stream) => string {
  const { t } = useLingui()
  const word = useStatusWord()
  return (stream) => {
    const status = word(shownStatus(stream))
    return isRecordingLost(stream) ? t`${status}, not recording` : status
  }
}

const percentOf = (share: number): string => `${formatNumber(share * 100, { maximumFractionDigits: 1 })} %`

/** Where a camera stands on a plan and where it looks. */
export function useCameraWords(): (camera: PlanCamera) => string {
  const { t } = useLingui()
  return ({ x, y, direction }) => {
    const [left, top] = [percentOf(x), percentOf(y)]
    return direction === undefined ? t`left ${left}, top ${top}` : t`left ${left}, top ${top}, direction ${direction}°`
  }
}
