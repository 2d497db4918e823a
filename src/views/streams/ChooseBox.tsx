import { useLingui } from '@lingui/react/macro'
import type { Stream } from '../../api/contract/stream.ts'
import { displayName } from './stream-words.tsx'
import styles from './ChooseBox.module.css'

interface ChooseBoxProps {
  stream: Stream
  entry: number
  isChosen: boolean
  isLocked: boolean
  /** -1 where the list has one tab stop elsewhere. */
  tabIndex: number
  onChoose: (entry: number, isRange: boolean) => void
}

/** Chooses a stream; with Shift all from the last one chosen to this. */
export function ChooseBox({ stream, entry, isChosen, isLocked, tabIndex, onChoose }: ChooseBoxProps) {
  const { t } = useLingui()
  const name = displayName(stream)
  return (
    <input
      type="checkbox"
      className={styles.box}
      aria-label={t`Choose ${name}`}
      checked={isChosen}
      disabled={isLocked}
      tabIndex={tabIndex}
      onChange={({ nativeEvent }) => onChoose(entry, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    />
  )
}
