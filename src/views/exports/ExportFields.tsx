import { Trans, useLingui } from '@lingui/react/macro'
import { formatMoment } from '../../i18n/formats.ts'
import { CheckField, TextField } from '../ui/Field.tsx'

/** What is exported: moments in epoch milliseconds, shown in `zone`. */
export function ExportedRange({ from: start, to: end, zone }: { from: number; to: number; zone: string }) {
  const [from, to] = [formatMoment(start, zone), formatMoment(end, zone)]
  return (
    <p>
      <Trans>
        From {from} to {to}, as a signed file. The server creates it in the background; download it on the Exports page.
      </Trans>
    </p>
  )
}

interface ExportFieldsProps {
  values: { note: string; overlay: boolean }
  noteError: string | undefined
  onEdit: (values: { note: string } | { overlay: boolean }) => void
}

export function ExportFields({ values, noteError, onEdit }: ExportFieldsProps) {
  const { t } = useLingui()
  return (
    <>
      <TextField
        label={t`Note`}
        name="note"
        autoComplete="off"
        maxLength={500}
        help={t`For example, a case number. It is included in the file.`}
        value={values.note}
        error={noteError}
        onChange={(note) => onEdit({ note })}
      />
      <CheckField
        label={t`Overlay time and camera name`}
        help={t`Takes longer, as the video is re-encoded. Without the overlay, the recording is copied unchanged.`}
        checked={values.overlay}
        onChange={(overlay) => onEdit({ overlay })}
      />
    </>
  )
}
