import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { AnyActorRef } from 'xstate'
import type { FormRef } from '../../machines/form/form.machine.ts'
import type { LeaveEvent } from '../../machines/form/leaving-region.ts'
import { selectIsBusy } from '../../machines/selectors.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { fieldTexts, useFieldError } from '../ui/field-errors.ts'
import styles from './Form.module.css'

const selectIsLeaving = (snapshot: ReturnType<Unsaved['getSnapshot']>) =>
  snapshot.matches({ leaving: { held: 'confirming' } })

/** The state of a form, and the error text of a field. */
export function useFormState<Values extends object, Answer, Facts>(form: FormRef<Values, Answer, Facts>) {
  const { values, errors } = useSelector(form, (snapshot) => snapshot.context)
  const isBusy = useSelector(form, (snapshot) => snapshot.hasTag('busy'))
  return { values, errors, isBusy, errorOf: useFieldError(errors) }
}

/** The state of a form whose values are all texts; `text` returns the props of a field. */
export function useForm<Values extends { [Name in keyof Values]: string }, Answer, Facts>(
  form: FormRef<Values, Answer, Facts>,
) {
  const { values, errors, isBusy, errorOf } = useFormState(form)
  const edit = (name: keyof Values & string, value: string) => {
    const change: Partial<Values> = {}
    Object.assign(change, { [name]: value })
    form.send({ type: 'form.edited', values: change })
  }
  const text = (name: keyof Values & string) => ({
    name,
    value: values[name],
    error: errorOf(name),
    onChange: (value: string) => edit(name, value),
  })
  return { values, errors, isBusy, edit, text }
}

interface FormProps<Values extends object, Answer, Facts> {
  form: FormRef<Values, Answer, Facts>
  children: ReactNode
  className?: string | undefined
  id?: string
  focusFirst?: boolean
}

/** Whether errors are shown neither by a field of the form nor by the rest of the page. */
const areUnplaced = (form: HTMLFormElement | null, texts: readonly string[]): boolean =>
  form !== null &&
  texts.length > 0 &&
  form.querySelector('[aria-invalid="true"], [role="alert"]:not([hidden])') === null &&
  !texts.some((text) => document.body.textContent.includes(text))

/**
 * Submits the form's machine, focuses the first invalid field, and asks before unsaved changes are lost. Errors of a
 * path without a field, such as `cells.0`, are shown below the form.
 */
export function Form<Values extends object, Answer, Facts>({
  form,
  children,
  className,
  id,
  focusFirst = false,
}: FormProps<Values, Answer, Facts>) {
  const { t, i18n } = useLingui()
  const element = useRef<HTMLFormElement>(null)
  const { failures, errors } = useSelector(form, (snapshot) => snapshot.context)
  const [unplacedOf, setUnplacedOf] = useState(0)
  const unplaced = failures > 0 && unplacedOf === failures ? fieldTexts(errors, i18n) : []
  const isRestored = useSelector(form, (snapshot) => snapshot.context.isRestored)
  const isBusy = useSelector(form, selectIsBusy)

  useEffect(() => {
    if (failures === 0 && !focusFirst) return
    element.current
      ?.querySelector<HTMLElement>(failures === 0 ? 'input:not([hidden])' : '[aria-invalid="true"]')
      ?.focus()
  }, [failures, focusFirst])
  useEffect(() => {
    const texts = fieldTexts(form.getSnapshot().context.errors, i18n)
    if (failures > 0 && areUnplaced(element.current, texts)) setUnplacedOf(failures)
  }, [failures, form, i18n])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    form.send({ type: 'form.submitted' })
  }

  return (
    <>
      {isRestored && (
        <p className={styles.restored} role="status">
          <span>
            <Trans>Your unsaved input was restored; passwords are never stored.</Trans>
          </span>
          <Button
            variant="quiet"
            disabled={isBusy}
            onClick={() => form.send({ type: 'form.reset', values: form.getSnapshot().context.saved })}
          >{t`Discard`}</Button>
        </p>
      )}
      <form ref={element} id={id} className={className} onSubmit={submit} noValidate>
        {children}
        {unplaced.length > 0 && (
          <p className={styles.unplaced} role="alert">
            {unplaced.join('; ')}
          </p>
        )}
      </form>
      <LeaveDialog form={form} />
    </>
  )
}

/** A machine with unsaved work that asks before it is lost, with `leaveStates`. */
interface Unsaved {
  subscribe: AnyActorRef['subscribe']
  getSnapshot: () => { matches: (value: { leaving: { held: 'confirming' } }) => boolean }
  send: (event: LeaveEvent) => void
}

/** Asks before unsaved changes are lost. `Form` has it; a page that hides its form renders it instead. */
export function LeaveDialog({ form }: { form: Unsaved }) {
  const { t } = useLingui()
  const isLeaving = useSelector(form, selectIsLeaving)
  return (
    isLeaving && (
      <ConfirmDialog
        title={t`Leave without saving?`}
        confirmLabel={t`Leave`}
        onConfirm={() => form.send({ type: 'leave.confirmed' })}
        onCancel={() => form.send({ type: 'leave.cancelled' })}
      >
        <Trans>The changes on this page are not saved and will be lost.</Trans>
      </ConfirmDialog>
    )
  )
}
