import { useLingui } from '@lingui/react/macro'
import { ArrowLeftToLine, ArrowRightToLine, SquareDashedMousePointer } from 'lucide-react'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './MarkTools.module.css'

interface MarkToolsProps {
  onMark: (type: 'selection.inMarked' | 'selection.outMarked') => void
  isSelecting: boolean
  onSelecting: (isSelecting: boolean) => void
}

/** Sets the marks at the playhead, and makes dragging on the timeline set them. */
export function MarkTools({ onMark, isSelecting, onSelecting }: MarkToolsProps) {
  const { t } = useLingui()
  return (
    <div className={styles.tools}>
      <IconButton
        label={t`Mark in`}
        shortcut="I"
        placement="top"
        icon={<ArrowLeftToLine size={16} />}
        onPress={() => onMark('selection.inMarked')}
      />
      <IconButton
        label={t`Mark out`}
        shortcut="O"
        placement="top"
        icon={<ArrowRightToLine size={16} />}
        onPress={() => onMark('selection.outMarked')}
      />
      <IconButton
        label={t`Select by dragging`}
        shortcut="⇧"
        placement="top"
        pressed={isSelecting}
        icon={<SquareDashedMousePointer size={16} />}
        onPress={() => onSelecting(!isSelecting)}
      />
    </div>
  )
}
