import { Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { useId } from 'react'
import type { ActorRefFrom } from 'xstate'
import { type exportFormMachine, exportParts, problemOf } from '../../machines/exports/export-form.ts'
import {
  type ExportDraftRef,
  selectExportDraft,
  selectExportForm,
  selectIsMeasuringParts,
} from '../../machines/exports/export-draft.selectors.ts'
import { type PlayerRef, selectZone } from '../../machines/player/player.selectors.ts'
import { Form, useFormState } from '../form/Form.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { useDuration } from '../ui/use-duration.ts'
import { ExportedRange, ExportFields, VideoFiles } from './ExportFields.tsx'
import { itemErrors } from './item-errors.ts'
import styles from './Exports.module.css'

/** Asks for a note and an overlay, and requests the export of the marked range. */
export function ExportDialog({ draft, player }: { draft: ExportDraftRef; player: PlayerRef }) {
  const form = useSelector(draft, selectExportForm)
  const zone = useSelector(player, selectZone)
  return form === undefined ? null : <ExportForm draft={draft} form={form} zone={zone} />
}

interface ExportFormProps {
  draft: ExportDraftRef
  form: ActorRefFrom<typeof exportFormMachine>
  zone: string
}

function ExportForm({ draft, form, zone }: ExportFormProps) {
  const { t } = useLingui()
  const id = useId()
  const { range, limits } = useSelector(draft, selectExportDraft)
  const isMeasuring = useSelector(draft, selectIsMeasuringParts)
  const { values, isBusy, errorOf } = useFormState(form)
  const maxLength = useDuration(limits.maxSeconds * limits.maxItems)
  const problem = problemOf(values, limits)
  const most = exportParts(range, limits).length
  const rangeError = itemErrors(values, errorOf).find((error) => error !== undefined)
  return (
    <FormDialog
      title={t`Export the recording`}
      form={id}
      submitLabel={t`Export`}
      isBusy={isBusy || isMeasuring}
      onClose={() => draft.send({ type: 'dialog.closed' })}
    >
      <ExportedRange from={range.from} to={range.to} zone={zone} />
      {isMeasuring && (
        <p role="status">
          <Trans>Loading recordings…</Trans>
        </p>
      )}
      {!isMeasuring && most > 1 && problem === null && (
        <VideoFiles count={values.items.length} most={most} limits={limits} />
      )}
      {rangeError !== undefined && (
        <p className={styles.apiError} role="alert">
          {rangeError}
        </p>
      )}
      <Form form={form} id={id} focusFirst>
        {problem !== null && (
          <p className={styles.apiError} role="alert">
            {problem === 'rangeTooLong' && <Trans>The selection is longer than {maxLength}: shorten it.</Trans>}
            {problem === 'empty' && <Trans>There are no recordings in this period.</Trans>}
          </p>
        )}
        <ExportFields
          values={values}
          noteError={errorOf('note')}
          onEdit={(edited) => form.send({ type: 'form.edited', values: edited })}
        />
      </Form>
    </FormDialog>
  )
}
