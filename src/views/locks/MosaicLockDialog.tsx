import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { type ReactNode, useId } from 'react'
import type { ApiError } from '../../api/reply.ts'
import { apiErrorText } from '../../i18n/errors.ts'
import { formatMoment } from '../../i18n/formats.ts'
import { lockedIn } from '../../machines/locks/lock-each.ts'
import {
  type LockCamera,
  type MosaicLockFormRef,
  type MosaicLockRef,
  selectMosaicLockForm,
} from '../../machines/locks/mosaic-lock.machine.ts'
import { selectContext } from '../../machines/selectors.ts'
import { Form, useFormState } from '../form/Form.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { CameraGroup } from '../ui/CameraGroup.tsx'
import { CheckField } from '../ui/Field.tsx'
import { LockFields } from './LockFields.tsx'
import styles from './Locks.module.css'

interface DialogProps {
  actor: MosaicLockRef
  zone: string
}

/** Asks for a reason, an expiry and the cameras of a mosaic whose recordings are to be locked. */
export function MosaicLockDialog({ actor, zone }: DialogProps) {
  const form = useSelector(actor, selectMosaicLockForm)
  return form === undefined ? null : <LockForm actor={actor} form={form} zone={zone} />
}

function LockForm({ actor, form, zone }: DialogProps & { form: MosaicLockFormRef }) {
  const { t } = useLingui()
  const id = useId()
  const { range, cameras, outcomes } = useSelector(actor, selectContext)
  const { values, errors, isBusy, errorOf } = useFormState(form)
  const [from, to] = [formatMoment(range.from, zone), formatMoment(range.to, zone)]
  const tried = Object.keys(outcomes).length
  const locked = lockedIn(outcomes).length
  const { uids } = values
  const choose = (uid: string, isChosen: boolean) =>
    form.send({
      type: 'form.edited',
      values: {
        uids: cameras
          .filter((camera) => (camera.uid === uid ? isChosen : uids.includes(camera.uid)))
          .map((one) => one.uid),
      },
    })
  return (
    <FormDialog
      title={t`Lock the recordings`}
      form={id}
      submitLabel={t`Lock`}
      isBusy={isBusy}
      onClose={() => actor.send({ type: 'dialog.closed' })}
    >
      <p>
        <Trans>
          From {from} to {to}. The recordings are kept beyond the archive's depth and quota until they are unlocked or
          the lock expires.
        </Trans>
      </p>
      <Form form={form} id={id} className={styles.form} focusFirst>
        <LockFields
          values={values}
          reasonError={errorOf('reason')}
          onEdit={(edited) => form.send({ type: 'form.edited', values: edited })}
        />
        <CameraGroup legend={t`Cameras`}>
          {cameras.map((camera) => (
            <CameraRow
              key={camera.uid}
              camera={camera}
              outcome={outcomes[camera.uid]}
              isChosen={uids.includes(camera.uid)}
              isBusy={isBusy}
              onChoose={(isChosen) => choose(camera.uid, isChosen)}
            />
          ))}
        </CameraGroup>
        <p className={styles.total} role="status">
          <span>
            <Plural value={uids.length} one="# camera selected" other="# cameras selected" />
          </span>
          {tried > 0 && (
            <span>
              <Trans>
                Locked: {locked} of {tried}
              </Trans>
            </span>
          )}
        </p>
        {errors['uids'] !== undefined && (
          <p className={styles.apiError} role="alert">
            <Trans>Select at least one camera.</Trans>
          </p>
        )}
      </Form>
    </FormDialog>
  )
}

interface RowProps {
  camera: LockCamera
  /** Why its recording isn't locked; null: it is; undefined: it wasn't tried. */
  outcome: ApiError | null | undefined
  isChosen: boolean
  isBusy: boolean
  onChoose: (isChosen: boolean) => void
}

function CameraRow({ camera, outcome, isChosen, isBusy, onChoose }: RowProps) {
  const isLocked = outcome === null
  return (
    <CheckField
      label={camera.name}
      checked={isChosen || isLocked}
      disabled={!camera.mayLock || isLocked || isBusy}
      invalid={!isLocked && outcome !== undefined}
      help={useRowWords(camera, outcome)}
      onChange={onChoose}
    />
  )
}

function useRowWords({ mayLock }: LockCamera, outcome: RowProps['outcome']): ReactNode {
  const { t, i18n } = useLingui()
  if (!mayLock) return t`Left out: you may not lock its recordings`
  if (outcome === null) return t`The recording is locked`
  if (outcome === undefined) return undefined
  return <span className={styles.apiError}>{i18n._(apiErrorText(outcome.code).message)}</span>
}
