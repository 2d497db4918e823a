import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { useId } from 'react'
import type { ActorRefFrom } from 'xstate'
import { formatBytes } from '../../i18n/bytes.ts'
import { formatMoment } from '../../i18n/formats.ts'
import { type exportFormMachine, exportParts, problemOf } from '../../machines/exports/export-form.ts'
import {
  bytesOfItems,
  cameraState,
  itemsOf,
  type MosaicExportRef,
  selectExportContext,
  selectIsMeasuring,
  selectMosaicExportForm,
} from '../../machines/exports/mosaic-export.machine.ts'
import { Form, useFormState } from '../form/Form.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { CutEnd } from '../player/CutEnd.tsx'
import { useDuration } from '../ui/use-duration.ts'
import { ExportCameraRow } from './ExportCameraRow.tsx'
import { ExportedRange, ExportFields, VideoFiles } from './ExportFields.tsx'
import { itemErrors } from './item-errors.ts'
import styles from './MosaicExport.module.css'

interface DialogProps {
  actor: MosaicExportRef
  zone: string
}

/** Asks which cameras of a mosaic to export, and says before what of the marked range is missing. */
export function MosaicExportDialog({ actor, zone }: DialogProps) {
  const form = useSelector(actor, selectMosaicExportForm)
  return form === undefined ? null : <ExportForm actor={actor} form={form} zone={zone} />
}

function ExportForm({ actor, form, zone }: DialogProps & { form: ActorRefFrom<typeof exportFormMachine> }) {
  const { t } = useLingui()
  const id = useId()
  const context = useSelector(actor, selectExportContext)
  const { cameras, range, cutAt, limits, measurements } = context
  const isMeasuring = useSelector(actor, selectIsMeasuring)
  const { values, errors, isBusy, errorOf } = useFormState(form)
  const maxLength = useDuration(limits.maxSeconds * limits.maxItems)
  const chosen = new Set(values.items.map(({ uid }) => uid))
  const most = exportParts(range, limits).length * chosen.size
  const bytes = bytesOfItems(context, values)
  const size = formatBytes(bytes ?? 0)
  const { maxItems } = limits
  const problem = problemOf(values, limits)
  const isShown = errors['items'] !== undefined || problem !== 'empty'
  const choose = (uid: string, isChosen: boolean) =>
    form.send({
      type: 'form.edited',
      values: { items: itemsOf(context, (one) => (one === uid ? isChosen : chosen.has(one))) },
    })
  const errorsOfItems = itemErrors(values, errorOf)
  const errorOfCamera = (uid: string) =>
    errorsOfItems.find((error, index) => error !== undefined && values.items[index]?.uid === uid)
  return (
    <FormDialog
      title={t`Export the recordings`}
      form={id}
      submitLabel={t`Export`}
      isBusy={isBusy || isMeasuring}
      onClose={() => actor.send({ type: 'dialog.closed' })}
    >
      <ExportedRange from={range.from} to={range.to} zone={zone} />
      {cutAt !== null && <CutEnd at={formatMoment(cutAt, zone)} />}
      <Form form={form} id={id} className={styles.form}>
        <fieldset className={styles.cameras}>
          <legend>{t`Cameras`}</legend>
          {cameras.map((camera) => (
            <ExportCameraRow
              key={camera.uid}
              camera={camera}
              state={cameraState(camera, measurements[camera.uid], isMeasuring)}
              measured={measurements[camera.uid]}
              error={errorOfCamera(camera.uid)}
              isChosen={chosen.has(camera.uid)}
              onChoose={(isChosen) => choose(camera.uid, isChosen)}
            />
          ))}
        </fieldset>
        <p className={styles.total} role="status">
          {isMeasuring ? (
            <Trans>Loading recordings…</Trans>
          ) : (
            <>
              <span>
                <Plural value={chosen.size} one="# camera selected" other="# cameras selected" />
              </span>
              {bytes !== null && (
                <span>
                  <Trans>about {size}</Trans>
                </span>
              )}
            </>
          )}
        </p>
        {!isMeasuring && most > chosen.size && problem === null && (
          <VideoFiles count={values.items.length} most={most} limits={limits} />
        )}
        {isShown && problem !== null && !isMeasuring && (
          <p className={styles.problem} role="alert">
            {problem === 'rangeTooLong' && <Trans>The selection is longer than {maxLength}: shorten it.</Trans>}
            {problem === 'empty' && <Trans>Select at least one camera.</Trans>}
            {problem === 'tooManyFiles' && (
              <Trans>
                An export can contain at most {maxItems} video files: select fewer cameras or a shorter range.
              </Trans>
            )}
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
