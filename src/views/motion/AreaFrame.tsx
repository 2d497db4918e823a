import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { useCallback, useId } from 'react'
import { formatPercent } from '../../i18n/formats.ts'
import { type MotionRef, selectMotionArea } from '../../machines/motion/motion.selectors.ts'
import { boxStyle } from '../ui/box-style.ts'
import { watchArea } from './area-gestures.ts'
import { keepOnPicture } from './picture-box.ts'
import styles from './Motion.module.css'

/** The area in which motion is searched, on the picture. */
export function AreaFrame({ actor }: { actor: MotionRef }) {
  const { t } = useLingui()
  const help = useId()
  const area = useSelector(actor, selectMotionArea)
  const attach = useCallback(
    (surface: HTMLDivElement | null) => {
      if (surface === null) return undefined
      const stopFitting = keepOnPicture(surface)
      const stopGestures = watchArea(surface, {
        read: () => selectMotionArea(actor.getSnapshot()),
        change: (next) => actor.send({ type: 'area.changed', area: next }),
      })
      return () => {
        stopGestures()
        stopFitting()
      }
    },
    [actor],
  )
  const [left, top, width, height] = [area.x, area.y, area.w, area.h].map((share) => formatPercent(share))
  return (
    <div ref={attach} className={styles.surface}>
      <div
        className={styles.area}
        style={boxStyle(area)}
        role="application"
        tabIndex={0}
        aria-label={t`Search area`}
        aria-describedby={help}
        data-area
      >
        <span className={styles.corner} data-corner aria-hidden="true" />
      </div>
      <p id={help} className="visually-hidden">
        {t`Arrow keys move the area; with Shift, they resize it.`}
      </p>
      <p role="status" className="visually-hidden">
        {t`${width} wide, ${height} high, ${left} from the left, ${top} from the top`}
      </p>
    </div>
  )
}
