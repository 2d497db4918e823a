import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { useState } from 'react'
import type { ZoneChoice, Zones } from '../../machines/player/zones.ts'
import { offsetAt } from '../../machines/timeline/timeline-labels.ts'
import { selectPeriod, type TimelineSnapshot, type TimelineRef } from '../../machines/timeline/timeline.selectors.ts'
import { panels } from '../player/panels.ts'
import { useDeferred } from '../ui/deferred.ts'
import type { LocalTime } from './local-time.ts'
import { utcText, zoneText } from './zone-text.ts'
import styles from './Timeline.module.css'

/** The time zones that can be selected, the selected one, and what selects another. */
export interface ZonePicker {
  readonly zones: Zones
  readonly chosen: ZoneChoice
  readonly onChoose: (choice: ZoneChoice) => void
}

interface ZoneButtonProps {
  actor: TimelineRef
  time: LocalTime
  /** Undefined to show the zone without a way to change it. */
  picker: ZonePicker | undefined
}

export function ZoneButton({ actor, time, picker }: ZoneButtonProps) {
  const { t } = useLingui()
  const [openAt, setOpenAt] = useState<number | null>(null)
  const parts = useDeferred(panels, openAt !== null)
  const offset = useSelector(actor, (snapshot: TimelineSnapshot) => {
    const { from, to } = selectPeriod(snapshot)
    return offsetAt(time.offsets({ from, to }), to)
  })
  const zone = time.zone === 'UTC' ? 'UTC' : `${zoneText(time.zone)} (${utcText(offset)})`
  if (picker === undefined) return <span className={styles.zone}>{zone}</span>
  return (
    <>
      <button
        type="button"
        className={`${styles.zone} ${styles.disclosure}`}
        aria-haspopup="dialog"
        onClick={() => setOpenAt(selectPeriod(actor.getSnapshot()).to)}
      >
        <span className={styles.zoneText}>
          <span className={styles.wideText}>{t`Time zone:`} </span>
          {zone}
        </span>
      </button>
      {parts !== null && openAt !== null && (
        <parts.ZoneDialog {...picker} at={openAt} onClose={() => setOpenAt(null)} />
      )}
    </>
  )
}
