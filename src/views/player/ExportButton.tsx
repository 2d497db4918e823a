import { useLingui } from '@lingui/react/macro'
import { FileArchive } from 'lucide-react'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './SelectionBar.module.css'

interface ExportButtonProps {
  /** How many ranges were added to the export before. */
  addedRanges: number
  onPress: () => void
}

/** Exports the selected range, and those added before. */
export function ExportButton({ addedRanges, onPress }: ExportButtonProps) {
  const { t } = useLingui()
  return (
    <IconButton
      placement="top"
      label={addedRanges === 0 ? t`Export` : t`Export, ranges added: ${addedRanges}`}
      icon={
        <span className={styles.counted}>
          <FileArchive size={16} />
          {addedRanges > 0 && addedRanges}
        </span>
      }
      onPress={onPress}
    />
  )
}
