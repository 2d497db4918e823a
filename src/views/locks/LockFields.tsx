import { useLingui } from '@lingui/react/macro'
import type { LockTerms } from '../../machines/locks/locks.machine.ts'
import { SelectField, TextField } from '../ui/Field.tsx'

interface LockFieldsProps {
  values: LockTerms
  reasonError: string | undefined
  onEdit: (values: Partial<LockTerms>) => void
}

/** Why a recording is locked, and until when. */
export function LockFields({ values, reasonError, onEdit }: LockFieldsProps) {
  const { t } = useLingui()
  return (
    <>
      <TextField
        label={t`Reason`}
        name="reason"
        autoComplete="off"
        maxLength={500}
        value={values.reason}
        error={reasonError}
        onChange={(reason) => onEdit({ reason })}
      />
      <SelectField
        label={t`Expires`}
        value={values.days}
        options={[
          { value: '', label: t`Never` },
          { value: '30', label: t`In 30 days` },
          { value: '90', label: t`In 90 days` },
          { value: '365', label: t`In 1 year` },
        ]}
        onChange={(days) => onEdit({ days })}
      />
    </>
  )
}
