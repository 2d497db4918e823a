import { useLingui } from '@lingui/react/macro'
import { SquareDashedMousePointer } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { TimeRange } from '../../api/contract/time-range.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { liveAddress, searchOf } from '../../machines/player/address.ts'
import { rangeAround } from '../../machines/player/in-out-marks.ts'
import styles from './Bookmarks.module.css'

interface SelectRecordingProps {
  streamId: string
  /** When it happened; a moment ends as it begins. */
  happened: TimeRange
  /** What the name of the link says it is the recording of. */
  name: string
}

/** Opens the player with marks around a moment, where the range can be locked, exported and downloaded. */
export function SelectRecording({ streamId, happened, name }: SelectRecordingProps) {
  const { t } = useLingui()
  const [now, setNow] = useState(Date.now)
  /** Before the click, which follows the link: the card may have been shown for long. */
  const refresh = () => setNow(Date.now())
  const label = t`Select the recording: ${name}`
  const selection = rangeAround(happened, now)
  return (
    <Link
      href={pathTo('streamView', { uid: streamId }) + searchOf('', { ...liveAddress, at: happened.from, selection })}
      className={styles.select}
      aria-label={label}
      title={label}
      onPointerDown={refresh}
      onKeyDown={refresh}
    >
      <SquareDashedMousePointer size={16} aria-hidden="true" />
    </Link>
  )
}
