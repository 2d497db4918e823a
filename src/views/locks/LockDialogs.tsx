import { Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { Lock, LockOpen } from 'lucide-react'
import { useId } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { ApiError } from '../../api/reply.ts'
import { apiErrorText } from '../../i18n/errors.ts'
import { formatMoment } from '../../i18n/formats.ts'
import type { lockFormMachine } from '../../machines/locks/locks.machine.ts'
import {
  type LocksRef,
  selectChosenLock,
  selectLockDialog,
  selectLockForm,
  selectLocks,
  selectAreLocksKnown,
  selectLocksApiError,
  selectUnlockApiError,
} from '../../machines/locks/locks.selectors.ts'
import { Form, useFormState } from '../form/Form.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../ui/Dialog.tsx'
import { useFocusAfterwards } from '../ui/use-focus-afterwards.ts'
import { StatePanel } from '../ui/State.tsx'
import { LockFields } from './LockFields.tsx'
import styles from './Locks.module.css'

interface LockDialogsProps {
  locks: LocksRef
  zone: string
  onPick: (at: number) => void
}

export function LockDialogs({ locks, zone, onPick }: LockDialogsProps) {
  const dialog = useSelector(locks, selectLockDialog)
  const form = useSelector(locks, selectLockForm)
  const close = () => locks.send({ type: 'dialog.closed' })
  if (dialog === 'drafting') return form === undefined ? null : <LockForm form={form} zone={zone} onClose={close} />
  if (dialog === 'closed') return null
  // The list stays under the question, which gives the focus back to it.
  return (
    <>
      <List locks={locks} zone={zone} onPick={onPick} onClose={close} />
      {dialog !== 'listing' && <Unlocking locks={locks} zone={zone} isBusy={dialog === 'unlocking'} />}
    </>
  )
}

interface LockFormProps {
  form: ActorRefFrom<typeof lockFormMachine>
  zone: string
  onClose: () => void
}

function LockForm({ form, zone, onClose }: LockFormProps) {
  const { t } = useLingui()
  const id = useId()
  const { values, isBusy, errorOf } = useFormState(form)
  const [from, to] = [formatMoment(values.from, zone), formatMoment(values.to, zone)]
  return (
    <FormDialog title={t`Lock the recording`} form={id} submitLabel={t`Lock`} isBusy={isBusy} onClose={onClose}>
      <p>
        <Trans>
          From {from} to {to}. The recording is kept beyond the archive's depth and quota until it is unlocked or the
          lock expires.
        </Trans>
      </p>
      <Form form={form} id={id} className={styles.form} focusFirst>
        <LockFields
          values={values}
          reasonError={errorOf('reason')}
          onEdit={(edited) => form.send({ type: 'form.edited', values: edited })}
        />
      </Form>
    </FormDialog>
  )
}

/** Who locked the recording, which not every server says, and until when. */
function Terms({ login, expiry }: { login: string; expiry: string }) {
  if (expiry === '') return login === '' ? null : <Trans>By {login}, never expires</Trans>
  if (login === '') return <Trans>Until {expiry}</Trans>
  return (
    <Trans>
      By {login}, until {expiry}
    </Trans>
  )
}

function List({ locks, zone, onPick, onClose }: LockDialogsProps & { onClose: () => void }) {
  const { t } = useLingui()
  const all = useSelector(locks, selectLocks)
  const apiError = useSelector(locks, selectLocksApiError)
  const areKnown = useSelector(locks, selectAreLocksKnown)
  return (
    <Dialog title={t`Locked recordings`} onClose={onClose}>
      <ErrorText apiError={apiError} />
      {apiError !== null && <Button onClick={() => locks.send({ type: 'list.retried' })}>{t`Retry`}</Button>}
      {areKnown && all.length === 0 && (
        <StatePanel icon={<Lock size={20} />} title={t`Nothing is locked`}>
          <Trans>
            Mark a range on the timeline, then select Lock: its recording is kept until it is unlocked or the lock
            expires.
          </Trans>
        </StatePanel>
      )}
      {all.length > 0 && (
        <ul className={styles.list} aria-label={t`Locked recordings`}>
          {all.map((lock) => {
            const { id, startTime, endTime, reason, expireTime, login } = lock
            const expiry = expireTime === undefined ? '' : formatMoment(expireTime, zone)
            return (
              <li key={id} className={styles.lock}>
                <button
                  type="button"
                  className={styles.open}
                  onClick={() => {
                    onPick(startTime)
                    onClose()
                  }}
                >
                  <strong>{reason}</strong>
                  <span className={styles.times}>
                    {formatMoment(startTime, zone)} – {formatMoment(endTime, zone)}
                  </span>
                  <span className={styles.times}>
                    <Terms login={login} expiry={expiry} />
                  </span>
                </button>
                <Button
                  icon={<LockOpen size={16} aria-hidden="true" />}
                  onClick={() => locks.send({ type: 'unlock.requested', lock })}
                  aria-label={t`Unlock ${reason}`}
                >
                  {t`Unlock`}
                </Button>
              </li>
            )
          })}
        </ul>
      )}
    </Dialog>
  )
}

const focusList = () => document.querySelector<HTMLElement>('[role="dialog"]')?.focus({ preventScroll: true })

function Unlocking({ locks, zone, isBusy }: { locks: LocksRef; zone: string; isBusy: boolean }) {
  const { t } = useLingui()
  const lock = useSelector(locks, selectChosenLock)
  const apiError = useSelector(locks, selectUnlockApiError)
  // The row that opened the question is gone once its lock is.
  useFocusAfterwards(focusList)
  if (lock === null) return null
  const [from, to] = [formatMoment(lock.startTime, zone), formatMoment(lock.endTime, zone)]
  return (
    <ConfirmDialog
      title={t`Unlock “${lock.reason}”?`}
      confirmLabel={t`Unlock`}
      busy={isBusy}
      onConfirm={() => locks.send({ type: 'unlock.confirmed' })}
      onCancel={() => locks.send({ type: 'unlock.cancelled' })}
    >
      <p>
        <Trans>
          The recording from {from} to {to} is deleted when its retention period ends, possibly immediately.
        </Trans>
      </p>
      <ErrorText apiError={apiError} />
    </ConfirmDialog>
  )
}

function ErrorText({ apiError }: { apiError: ApiError | null }) {
  const { i18n } = useLingui()
  if (apiError === null) return null
  return (
    <p className={styles.apiError} role="alert">
      {i18n._(apiErrorText(apiError.code).message)}
    </p>
  )
}
