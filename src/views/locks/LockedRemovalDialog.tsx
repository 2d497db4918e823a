import { type ComponentProps, useState } from 'react'
import { Trans, useLingui } from '@lingui/react/macro'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { CheckField } from '../ui/Field.tsx'

interface LockedRemovalDialogProps extends Omit<ComponentProps<typeof ConfirmDialog>, 'children' | 'disabled'> {
  /** What is locked, in words. */
  locked: readonly string[]
}

/**
 * The second confirmation before locked recordings are deleted. It appears where the first one was: a checkbox has to
 * be selected, so that neither a double click nor a held Enter confirms both.
 */
export function LockedRemovalDialog({ locked, ...dialogProps }: LockedRemovalDialogProps) {
  const { t } = useLingui()
  const [isAccepted, setIsAccepted] = useState(false)
  return (
    <ConfirmDialog {...dialogProps} disabled={!isAccepted}>
      <p>
        <Trans>These recordings are locked against deletion:</Trans>
      </p>
      <ul aria-label={t`Locked recordings`}>
        {locked.map((words, index) => (
          <li key={`${index} ${words}`}>{words}</li>
        ))}
      </ul>
      <CheckField
        label={t`Delete the locked recordings, too`}
        checked={isAccepted}
        disabled={dialogProps.busy === true}
        onChange={setIsAccepted}
      />
    </ConfirmDialog>
  )
}
