import { useLingui } from '@lingui/react/macro'
import { Button } from '../ui/Button.tsx'

interface SaveButtonsProps {
  /** The id of the form. */
  form: string
  isBusy: boolean
  isChanged: boolean
  onDiscard: () => void
}

/** Discards what is not saved yet, or saves a form, from outside of the form. */
export function SaveButtons({ form, isBusy, isChanged, onDiscard }: SaveButtonsProps) {
  const { t } = useLingui()
  return (
    <>
      <Button disabled={!isChanged || isBusy} onClick={onDiscard}>
        {t`Discard changes`}
      </Button>
      <Button type="submit" form={form} variant="primary" busy={isBusy}>
        {t`Save`}
      </Button>
    </>
  )
}
