import { Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { useId } from 'react'
import { formatMoment } from '../../i18n/formats.ts'
import { type ExportFormRef, exportParts, problemOf } from '../../machines/exports/export-form.ts'
import {
  type ExportDraftRef,
  selectExportDraft,
  selectExportForm,
  selectIsMeasuringParts,
} from '../../machines/exports/export-draft.selectors.ts'
import { type PlayerRef, selectZone } from '../../machines/player/player.selectors.ts'
import { Form, useFormState } from '../form/Form.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { CutEnd } from '../player/CutEnd.tsx'
import { useDuration } from '../ui/use-duration.ts'
import { AddRange, ExportFields, VideoFiles } from './ExportFields.tsx'
import { ExportedRanges } from './ExportRanges.tsx'
import { itemErrors } from './item-errors.ts'
import styles from './Exports.module.css'

/** Asks for a note and an overlay, and requests the export of the selected range, and of those added before. */
export function ExportDialog({ draft, player }: { draft: ExportDraftRef; player: PlayerRef }) {
  const form = useSelector(draft, selectExportForm)
  const zone = useSelector(player, selectZone)
  return form === undefined ? null : <ExportForm draft={draft} form={form} zone={zone} />
}

interface ExportFormProps {
  draft: ExportDraftRef
  form: ExportFormRef
  zone: string
}

function ExportForm({ draft, form, zone }: ExportFormProps) {
  const { t } = useLingui()
  const id = useId()
  const { ranges, cutAt, limits } = useSelector(draft, selectExportDraft)
  const isMeasuring = useSelector(draft, selectIsMeasuringParts)
  const { values, isBusy: isSending, errorOf } = useFormState(form)
  const isBusy = isSending || isMeasuring
  const maxLength = useDuration(limits.maxSeconds * limits.maxItems)
  const problem = problemOf(values, limits)
  const isList = ranges.length > 1
  const { maxItems } = limits
  const most = ranges.reduce((count, one) => count + exportParts(one, limits).length, 0)
  const errors = itemErrors(values, errorOf)
  const rangeError = errors.find((error) => error !== undefined)
  return (
    <FormDialog
      title={t`Export the recording`}
      form={id}
      submitLabel={t`Export`}
      isBusy={isBusy}
      onClose={() => draft.send({ type: 'dialog.closed' })}
    >
      <ExportedRanges
        {...{ ranges, isList, zone, isBusy, errors }}
        onRemove={(index) => draft.send({ type: 'range.removed', index })}
      />
      {cutAt !== null && <CutEnd at={formatMoment(cutAt, zone)} />}
      {isMeasuring && (
        <p role="status">
          <Trans>Loading recordings…</Trans>
        </p>
      )}
      {!isMeasuring && most > ranges.length && problem === null && (
        <VideoFiles count={values.items.length} most={most} limits={limits} />
      )}
      {rangeError !== undefined && !isList && (
        <p className={styles.apiError} role="alert">
          {rangeError}
        </p>
      )}
      <Form form={form} id={id} className={styles.form} focusFirst>
        {problem !== null && !isMeasuring && (
          <p className={styles.apiError} role="alert">
            {problem === 'rangeTooLong' && <Trans>The selection is longer than {maxLength}: shorten it.</Trans>}
            {problem === 'empty' && <Trans>There are no recordings in this period.</Trans>}
            {problem === 'tooManyFiles' && (
              <Trans>An export can contain at most {maxItems} video files: remove or shorten a range.</Trans>
            )}
          </p>
        )}
        <ExportFields
          values={values}
          noteError={errorOf('note')}
          zoneError={errorOf('timezone')}
          onEdit={(edited) => form.send({ type: 'form.edited', values: edited })}
        />
        <AddRange isDisabled={isBusy || problem !== null} onAdd={() => draft.send({ type: 'ranges.kept' })} />
      </Form>
    </FormDialog>
  )
}
