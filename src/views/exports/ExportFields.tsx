import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Plus } from 'lucide-react'
import { useId } from 'react'
import { formatMoment } from '../../i18n/formats.ts'
import type { ExportLimits } from '../../machines/exports/export-form.ts'
import { zoneText } from '../timeline/zone-text.ts'
import { Button } from '../ui/Button.tsx'
import { CheckField, TextField } from '../ui/Field.tsx'
import { useDuration } from '../ui/use-duration.ts'
import styles from './Exports.module.css'

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

interface VideoFilesProps {
  /** How many video files the export contains, and how many there would be if all parts had recordings. */
  count: number
  most: number
  limits: ExportLimits
}

/** Explains why a long range is exported in several video files. */
export function VideoFiles({ count, most, limits }: VideoFilesProps) {
  const maxLength = useDuration(limits.maxSeconds)
  return (
    <p role="status">
      <Plural
        value={count}
        one={`One video file can be at most ${maxLength} long, so the export contains # file.`}
        other={`One video file can be at most ${maxLength} long, so the export contains # files.`}
      />
      {count < most && (
        <>
          {' '}
          <Trans>Parts without recordings are left out.</Trans>
        </>
      )}
    </p>
  )
}

interface ExportFieldsProps {
  values: { note: string; overlay: boolean; timezone: string }
  noteError: string | undefined
  zoneError: string | undefined
  onEdit: (values: { note: string } | { overlay: boolean }) => void
}

export function ExportFields({ values, noteError, zoneError, onEdit }: ExportFieldsProps) {
  const { t } = useLingui()
  const zone = zoneText(values.timezone)
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
        help={
          <Trans>
            The time is in the zone {zone}, with its offset from UTC. Takes longer, as the video is re-encoded; without
            the overlay, the recording is copied unchanged.
          </Trans>
        }
        checked={values.overlay}
        invalid={zoneError !== undefined}
        onChange={(overlay) => onEdit({ overlay })}
      />
      {zoneError !== undefined && (
        <p className={styles.apiError} role="alert">
          {zoneError}
        </p>
      )}
    </>
  )
}

/** Keeps what the dialog has, for the next range to be selected. */
export function AddRange({ isDisabled, onAdd }: { isDisabled: boolean; onAdd: () => void }) {
  const { t } = useLingui()
  const hint = useId()
  return (
    <div className={styles.more}>
      <Button
        icon={<Plus size={16} aria-hidden="true" />}
        disabled={isDisabled}
        isFocusable
        data-add-range
        aria-describedby={hint}
        onClick={onAdd}
      >{t`Add another range`}</Button>
      <p id={hint} className={styles.muted}>
        <Trans>Closes this dialog: mark the next range on the timeline, then select Export again.</Trans>
      </p>
    </div>
  )
}
