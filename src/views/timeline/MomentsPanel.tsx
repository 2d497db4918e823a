import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { IconButton } from '../ui/IconButton.tsx'
import type { TimelineRef } from '../../machines/timeline/timeline.selectors.ts'
import { Segments } from '../ui/Segments.tsx'
import { Annotations } from './Annotations.tsx'
import type { BandWords } from './band-loop.ts'
import { Recordings } from './Recordings.tsx'
import { openMoments, useMomentsShown } from './moments-shown.ts'
import styles from './Moments.module.css'

interface MomentsPanelProps {
  id: string
  actor: TimelineRef
  clock: () => number | null
  words: BandWords
  onClose: () => void
}

export function MomentsPanel({ id, onClose, ...list }: MomentsPanelProps) {
  const { t } = useLingui()
  const shown = useMomentsShown()
  return (
    <aside
      id={id}
      className={styles.panel}
      aria-label={t`Moments`}
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
          ]}
          chosen={shown === 'recordings' ? 'recordings' : 'annotations'}
          onChoose={openMoments}
        />
        <IconButton label={t`Close the list`} icon={<X size={16} />} onPress={onClose} />
      </header>
      {shown === 'recordings' ? <Recordings {...list} /> : <Annotations {...list} />}
    </aside>
  )
}
