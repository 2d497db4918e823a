import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import type { FormRef } from '../../machines/form/form.machine.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { useFieldError } from '../ui/field-errors.ts'
import styles from './Form.module.css'

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

/** Submits the form's machine, focuses the first invalid field, and asks before unsaved changes are lost. */
export function Form<Values extends object, Answer, Facts>({
  form,
  children,
  className,
  id,
  focusFirst = false,
}: FormProps<Values, Answer, Facts>) {
  const { t } = useLingui()
  const element = useRef<HTMLFormElement>(null)
  const failures = useSelector(form, (snapshot) => snapshot.context.failures)
  const isRestored = useSelector(form, (snapshot) => snapshot.context.isRestored)
  const isLeaving = useSelector(form, (snapshot) => snapshot.matches({ leaving: { held: 'confirming' } }))

  useEffect(() => {
    if (failures === 0 && !focusFirst) return
    element.current
      ?.querySelector<HTMLElement>(failures === 0 ? 'input:not([hidden])' : '[aria-invalid="true"]')
      ?.focus()
  }, [failures, focusFirst])

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
            onClick={() => form.send({ type: 'form.reset', values: form.getSnapshot().context.saved })}
          >{t`Discard`}</Button>
        </p>
      )}
      <form ref={element} id={id} className={className} onSubmit={submit} noValidate>
        {children}
      </form>
      {isLeaving && (
        <ConfirmDialog
          title={t`Leave without saving?`}
          confirmLabel={t`Leave`}
          onConfirm={() => form.send({ type: 'leave.confirmed' })}
          onCancel={() => form.send({ type: 'leave.cancelled' })}
        >
          <Trans>The changes on this page are not saved and will be lost.</Trans>
        </ConfirmDialog>
      )}
    </>
  )
}
