import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { useId } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { exportFormMachine } from '../../machines/exports/export-draft.machine.ts'
import { type ExportDraftRef, selectExportForm } from '../../machines/exports/export-draft.selectors.ts'
import { type PlayerRef, selectZone } from '../../machines/player/player.selectors.ts'
import { Form, useFormState } from '../form/Form.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { ExportedRange, ExportFields } from './ExportFields.tsx'
import styles from './Exports.module.css'

/** Asks for a note and an overlay, and requests the export of the marked range. */
export function ExportDialog({ draft, player }: { draft: ExportDraftRef; player: PlayerRef }) {
  const form = useSelector(draft, selectExportForm)
  const zone = useSelector(player, selectZone)
  if (form === undefined) return null
  return <ExportForm form={form} zone={zone} onClose={() => draft.send({ type: 'dialog.closed' })} />
}

interface ExportFormProps {
  form: ActorRefFrom<typeof exportFormMachine>
  zone: string
  onClose: () => void
}

function ExportForm({ form, zone, onClose }: ExportFormProps) {
  const { t } = useLingui()
  const id = useId()
  const { values, isBusy, errorOf } = useFormState(form)
  const [range] = values.items
  const rangeError = errorOf('items.0.startTime') ?? errorOf('items.0.endTime')
  return (
    <FormDialog title={t`Export the recording`} form={id} submitLabel={t`Export`} isBusy={isBusy} onClose={onClose}>
      <ExportedRange from={range?.from ?? 0} to={range?.to ?? 0} zone={zone} />
      {rangeError !== undefined && (
        <p className={styles.apiError} role="alert">
          {rangeError}
        </p>
      )}
      <Form form={form} id={id} focusFirst>
        <ExportFields
          values={values}
          noteError={errorOf('note')}
          onEdit={(edited) => form.send({ type: 'form.edited', values: edited })}
        />
      </Form>
    </FormDialog>
  )
}
