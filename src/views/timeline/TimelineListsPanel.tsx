import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { TimeRange } from '../../api/contract/time-range.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { type TimelineListsRef, selectList } from '../../machines/timeline/timeline-lists.machine.ts'
import type { TimelineRef } from '../../machines/timeline/timeline.selectors.ts'
import { Segments } from '../ui/Segments.tsx'
import { Annotations } from './Annotations.tsx'
import type { BandWords } from './band-loop.ts'
import { Recordings } from './Recordings.tsx'
import styles from './TimelineLists.module.css'

/** The motion search as a third list. `panel` is false until its code is loaded; `onOpen` loads it. */
export interface MotionTab {
  panel: ReactNode
  onOpen: () => void
}

interface TimelineListsPanelProps {
  id: string
  actor: TimelineRef
  lists: TimelineListsRef
  clock: () => number | null
  words: BandWords
  /** Undefined without a motion search. */
  motion: MotionTab | undefined
  /** Sets the in and out marks to the ends of a range; undefined without marks. */
  onSelect: ((range: TimeRange) => void) | undefined
  onClose: () => void
}

export function TimelineListsPanel({ id, lists, onSelect, onClose, motion, ...timeline }: TimelineListsPanelProps) {
  const { t } = useLingui()
  const requested = useSelector(lists, selectList)
  const panel = motion?.panel || null
  const shown = requested === 'motion' && panel === null ? 'annotations' : requested
  return (
    <aside
      id={id}
      className={styles.panel}
      aria-label={t`Events and recordings`}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose()
      }}
    >
      <header className={styles.head}>
        <Segments
          label={t`List`}
          options={[
            { id: 'recordings', label: t`Recordings` },
            { id: 'annotations', label: t`Annotations` },
            ...(motion === undefined ? [] : [{ id: 'motion' as const, label: t`Motion` }]),
          ]}
          chosen={shown}
          onChoose={(list) => (list === 'motion' ? motion?.onOpen() : lists.send({ type: 'list.opened', list }))}
        />
        <IconButton label={t`Close the list`} icon={<X size={16} />} onPress={onClose} />
      </header>
      {shown === 'motion' && panel}
      {shown === 'recordings' && <Recordings {...timeline} />}
      {shown === 'annotations' && <Annotations {...timeline} lists={lists} onSelect={onSelect} />}
    </aside>
  )
}
