import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { useId } from 'react'
import { formatBytes } from '../../i18n/bytes.ts'
import { formatMoment } from '../../i18n/formats.ts'
import { type ExportFormRef, exportParts, problemOf } from '../../machines/exports/export-form.ts'
import { type DraftRange, itemsOfRanges } from '../../machines/exports/export-ranges.ts'
import { bytesOfRanges, cameraState, itemsOf, rangesOf } from '../../machines/exports/mosaic-export-items.ts'
import {
  type MosaicExportRef,
  selectExportContext,
  selectIsMeasuring,
  selectMosaicExportForm,
} from '../../machines/exports/mosaic-export.machine.ts'
import { Form, useFormState } from '../form/Form.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { CutEnd } from '../player/CutEnd.tsx'
import { CameraGroup } from '../ui/CameraGroup.tsx'
import { useDuration } from '../ui/use-duration.ts'
import { ExportCameraRow } from './ExportCameraRow.tsx'
import { AddRange, ExportFields, VideoFiles } from './ExportFields.tsx'
import { ExportedRanges } from './ExportRanges.tsx'
import { itemErrors } from './item-errors.ts'
import styles from './MosaicExport.module.css'

interface DialogProps {
  actor: MosaicExportRef
  zone: string
}

const cameraCount = ({ items }: DraftRange) => new Set(items.map(({ uid }) => uid)).size

/**
 * Asks which cameras of a mosaic to export, and says before what of the selected range is missing. Ranges that were
 * added before are listed with their cameras.
 */
export function MosaicExportDialog({ actor, zone }: DialogProps) {
  const form = useSelector(actor, selectMosaicExportForm)
  return form === undefined ? null : <ExportForm actor={actor} form={form} zone={zone} />
}

function ExportForm({ actor, form, zone }: DialogProps & { form: ExportFormRef }) {
  const { t } = useLingui()
  const id = useId()
  const context = useSelector(actor, selectExportContext)
  const { cameras, added, range, cutAt, limits, measurements } = context
  const isMeasuring = useSelector(actor, selectIsMeasuring)
  const { values, errors, isBusy: isSending, errorOf } = useFormState(form)
  const isBusy = isSending || isMeasuring
  const maxLength = useDuration(limits.maxSeconds * limits.maxItems)
  const ranges = rangesOf(context, values)
  const isList = added.length > 0
  const addedItems = itemsOfRanges(added).length
  const ownItems = values.items.slice(addedItems)
  const chosen = new Set(ownItems.map(({ uid }) => uid))
  const recordings = ranges.reduce((count, one) => count + cameraCount(one), 0)
  const most = ranges.reduce((count, one) => count + cameraCount(one) * exportParts(one, limits).length, 0)
  const bytes = bytesOfRanges(ranges)
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
    errorsOfItems.slice(addedItems).find((error, index) => error !== undefined && ownItems[index]?.uid === uid)
  return (
    <FormDialog
      title={t`Export the recordings`}
      form={id}
      submitLabel={t`Export`}
      isBusy={isBusy}
      onClose={() => actor.send({ type: 'dialog.closed' })}
    >
      <ExportedRanges
        {...{ ranges, isList, zone, isBusy }}
        errors={errorsOfItems.slice(0, addedItems)}
        nameOf={(uid) => cameras.find((camera) => camera.uid === uid)?.name ?? uid}
        onRemove={(index) => actor.send({ type: 'range.removed', index })}
      />
      {cutAt !== null && <CutEnd at={formatMoment(cutAt, zone)} />}
      <Form form={form} id={id} className={styles.form}>
        {range !== null && (
          <CameraGroup legend={isList ? t`Cameras of the last range` : t`Cameras`}>
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
          </CameraGroup>
        )}
        <p className={styles.total} role="status">
          {isMeasuring ? (
            <Trans>Loading recordings…</Trans>
          ) : (
            <>
              {range !== null && (
                <span>
                  <Plural value={chosen.size} one="# camera selected" other="# cameras selected" />
                </span>
              )}
              {bytes !== null && (
                <span>{isList ? <Trans>about {size} in total</Trans> : <Trans>about {size}</Trans>}</span>
              )}
            </>
          )}
        </p>
        {!isMeasuring && most > recordings && problem === null && (
          <VideoFiles count={values.items.length} most={most} limits={limits} />
        )}
        {isShown && problem !== null && !isMeasuring && (
          <p className={styles.problem} role="alert">
            {problem === 'rangeTooLong' && <Trans>The selection is longer than {maxLength}: shorten it.</Trans>}
            {problem === 'empty' && <Trans>Select at least one camera.</Trans>}
            {problem === 'tooManyFiles' && (
              <Trans>
                An export can contain at most {maxItems} video files: select fewer cameras, or remove or shorten a
                range.
              </Trans>
            )}
          </p>
        )}
        <ExportFields
          values={values}
          noteError={errorOf('note')}
          zoneError={errorOf('timezone')}
          onEdit={(edited) => form.send({ type: 'form.edited', values: edited })}
        />
        <AddRange isDisabled={isBusy || problem !== null} onAdd={() => actor.send({ type: 'ranges.kept' })} />
      </Form>
    </FormDialog>
  )
}
