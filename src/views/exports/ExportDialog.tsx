import { Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { useId } from 'react'
import type { ActorRefFrom } from 'xstate'
import { formatMoment } from '../../i18n/formats.ts'
import type { exportFormMachine } from '../../machines/exports/export-draft.machine.ts'
import { type ExportDraftRef, selectExportForm } from '../../machines/exports/export-draft.selectors.ts'
import { type PlayerRef, selectZone } from '../../machines/player/player.selectors.ts'
import { Form, useFormState } from '../form/Form.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { CheckField, TextField } from '../ui/Field.tsx'
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
  const [from, to] = [formatMoment(range?.from ?? 0, zone), formatMoment(range?.to ?? 0, zone)]
  const rangeError = errorOf('items.0.startTime') ?? errorOf('items.0.endTime')
  return (
    <FormDialog title={t`Export the recording`} form={id} submitLabel={t`Export`} isBusy={isBusy} onClose={onClose}>
      <p>
        <Trans>
          From {from} to {to}, as a signed file. The server creates it in the background; download it on the Exports
          page.
        </Trans>
      </p>
      {rangeError !== undefined && (
        <p className={styles.apiError} role="alert">
          {rangeError}
        </p>
      )}
      <Form form={form} id={id} focusFirst>
        <TextField
          label={t`Note`}
          name="note"
          autoComplete="off"
          maxLength={500}
          help={t`For example, a case number. It is included in the file.`}
          value={values.note}
          error={errorOf('note')}
          onChange={(note) => form.send({ type: 'form.edited', values: { note } })}
        />
        <CheckField
          label={t`Overlay time and camera name`}
          help={t`Takes longer, as the video is re-encoded. Without the overlay, the recording is copied unchanged.`}
          checked={values.overlay}
          onChange={(overlay) => form.send({ type: 'form.edited', values: { overlay } })}
        />
      </Form>
    </FormDialog>
  )
}
