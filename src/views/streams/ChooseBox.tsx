import { useLingui } from '@lingui/react/macro'
import type { EntryProps } from './list-props.ts'
import { displayName } from './stream-words.tsx'
import styles from './ChooseBox.module.css'

type ChooseBoxProps = Pick<
  EntryProps,
  'stream' | 'entry' | 'isCurrent' | 'canAdmin' | 'isChosen' | 'isLocked' | 'onChoose'
>

/** Selects a stream that the user may administer; with Shift, all streams from the last one toggled to this one. */
export function ChooseBox({ stream, entry, isCurrent, canAdmin, isChosen, isLocked, onChoose }: ChooseBoxProps) {
  const { t } = useLingui()
  if (!canAdmin) return null
  const name = displayName(stream)
  return (
    <input
      type="checkbox"
      className={styles.box}
      aria-label={t`Select ${name}`}
      checked={isChosen}
      disabled={isLocked}
      tabIndex={isCurrent ? 0 : -1}
      onChange={({ nativeEvent }) => onChoose(entry, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    />
  )
}
