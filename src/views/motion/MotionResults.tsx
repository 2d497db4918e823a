import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { ScanSearch, SquareDashedMousePointer } from 'lucide-react'
import { useCallback, useMemo, useRef } from 'react'
import type { FoundMotion } from '../../api/contract/motion.ts'
import { formatPercent } from '../../i18n/formats.ts'
import { previewKey } from '../../machines/bookmarks/bookmark-location.ts'
import {
  type MotionRef,
  selectFoundMotion,
  selectIsBySize,
  selectIsPartial,
  selectMotionPhase,
  selectMotionPreviews,
  selectMotionUid,
} from '../../machines/motion/motion.selectors.ts'
import { MomentPicture } from '../bookmarks/MomentPicture.tsx'
import { lengthText } from '../timeline/local-time.ts'
import { useWords } from '../timeline/use-words.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { StatePanel } from '../ui/State.tsx'
import { useInSight } from '../ui/use-in-sight.ts'
import { useVisibleRows } from '../ui/use-visible-rows.ts'
import styles from './Motion.module.css'

const rowHeight = 68

interface MotionResultsProps {
  actor: MotionRef
  zone: string
  onPick: (at: number) => void
  /** Selects the recording around the motion. */
  onSelect: (found: FoundMotion) => void
}

/** The moment whose picture stands for a range. */
const middleOf = ({ startTime, endTime }: FoundMotion): number => Math.round((startTime + endTime) / 2)

export function MotionResults(props: MotionResultsProps) {
  const { t } = useLingui()
  const { actor } = props
  const items = useSelector(actor, selectFoundMotion)
  const phase = useSelector(actor, selectMotionPhase)
  const isBySize = useSelector(actor, selectIsBySize)
  const isPartial = useSelector(actor, selectIsPartial)
  if (items.length === 0) {
    // A cancelled search says nothing of the rest.
    if (phase !== 'shown' || isPartial) return null
    return (
      <StatePanel icon={<ScanSearch size={20} />} title={t`No motion found`} announce>
        <Trans>Enlarge the area, increase the sensitivity, or search a longer time.</Trans>
      </StatePanel>
    )
  }
  return (
    <>
      <p className={styles.count} role="status">
        {isPartial && phase === 'shown' ? (
          <Plural value={items.length} one="The first # range with motion" other="The first # ranges with motion" />
        ) : (
          <Plural value={items.length} one="# range with motion" other="# ranges with motion" />
        )}
      </p>
      {isBySize && (
        <p className={styles.note}>
          <Trans>
            A part of this time has no motion index. There, motion is found by the amount of video, anywhere in the
            picture.
          </Trans>
        </p>
      )}
      <List {...props} items={items} />
    </>
  )
}

function List({ actor, zone, items, onPick, onSelect }: MotionResultsProps & { items: readonly FoundMotion[] }) {
  const { t } = useLingui()
  const words = useWords(zone)
  const uid = useSelector(actor, selectMotionUid)
  const previews = useSelector(actor, selectMotionPreviews)
  const keyOf = useCallback((item: FoundMotion) => previewKey({ streamId: uid, at: middleOf(item) }), [uid])
  const { scroller, first, last } = useVisibleRows({ count: items.length, rowHeight })
  const shown = useMemo(() => items.slice(first, last), [items, first, last])
  const list = useRef<HTMLUListElement>(null)
  useInSight(
    list,
    shown,
    useCallback(
      (inSight) =>
        previews.send({
          type: 'previews.requested',
          subjects: inSight.map((item) => ({ uid: keyOf(item), isMoving: false, isAwaited: true })),
        }),
      [previews, keyOf],
    ),
  )
  return (
    <div ref={scroller} className={styles.scroller}>
      <ul ref={list} className={styles.items} aria-label={t`Motion found`} style={{ height: items.length * rowHeight }}>
        {shown.map((item, index) => (
          <li
            key={item.startTime}
            className={styles.row}
            style={{ height: rowHeight, transform: `translateY(${(first + index) * rowHeight}px)` }}
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
          >
            <button type="button" className={styles.item} onClick={() => onPick(item.startTime)}>
              <MomentPicture previews={previews} previewKey={keyOf(item)} />
              <span className={styles.what}>
                <strong className={styles.time}>{words.time.hourMinuteSecond(item.startTime)}</strong>
                <span className={styles.date}>{words.dateText(item.startTime)}</span>
              </span>
              <span className={styles.what}>
                <span className={styles.score}>{formatPercent(item.score)}</span>
                <span className={styles.date}>{lengthText(item.endTime - item.startTime)}</span>
              </span>
            </button>
            <SelectButton
              name={`${words.time.hourMinuteSecond(item.startTime)}, ${words.dateText(item.startTime)}`}
              onPress={() => onSelect(item)}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

function SelectButton({ name, onPress }: { name: string; onPress: () => void }) {
  const { t } = useLingui()
  return (
    <IconButton
      label={t`Select the recording: ${name}`}
      icon={<SquareDashedMousePointer size={16} />}
      placement="left"
      onPress={onPress}
    />
  )
}
