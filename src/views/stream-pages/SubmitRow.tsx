import { useLingui } from '@lingui/react/macro'
import { Button } from '../ui/Button.tsx'
import styles from './StreamFields.module.css'

interface SubmitRowProps {
  isBusy: boolean
  isChanged: boolean
  onDiscard: () => void
}

/** Saves a form, or discards what is not saved yet. */
export function SubmitRow({ isBusy, isChanged, onDiscard }: SubmitRowProps) {
  const { t } = useLingui()
  return (
    <div className={styles.submit}>
      <Button type="submit" variant="primary" busy={isBusy}>
        {t`Save`}
      </Button>
      {isChanged && !isBusy && (
        <>
          <Button variant="quiet" onClick={onDiscard}>
            {t`Discard changes`}
          </Button>
          <span className={styles.note}>{t`Not saved yet`}</span>
        </>
      )}
    </div>
  )
}
