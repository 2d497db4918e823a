import { useLingui } from '@lingui/react/macro'
import { ArrowLeftToLine, ArrowRightToLine, SquareDashedMousePointer } from 'lucide-react'
import type { SelectionRef } from '../../machines/player/player.selectors.ts'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './MarkTools.module.css'

interface MarkToolsProps {
  selection: SelectionRef
  clock: () => number | null
  isSelecting: boolean
  onSelecting: (isSelecting: boolean) => void
}

export function MarkTools({ selection, clock, isSelecting, onSelecting }: MarkToolsProps) {
  const { t } = useLingui()
  const mark = (type: 'selection.inMarked' | 'selection.outMarked') => {
    const at = clock()
    if (at !== null) selection.send({ type, at })
  }
  return (
    <div className={styles.tools}>
      <IconButton
        label={t`Mark in`}
        shortcut="I"
        placement="top"
        icon={<ArrowLeftToLine size={16} />}
        onPress={() => mark('selection.inMarked')}
      />
      <IconButton
        label={t`Mark out`}
        shortcut="O"
        placement="top"
        icon={<ArrowRightToLine size={16} />}
        onPress={() => mark('selection.outMarked')}
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
