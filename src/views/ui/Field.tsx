import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './Field.module.css'

interface FieldProps {
  label: string
  help?: ReactNode
  /** What is wrong with the value, and what to do about it. */
  error?: string | undefined
}

interface FrameProps extends FieldProps {
  id: string
  children: ReactNode
}

function Frame({ id, label, help, error, children }: FrameProps) {
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children}
      {help !== undefined && (
        <p className={styles.help} id={`${id}-help`}>
          {help}
        </p>
      )}
      <p className={styles.error} id={`${id}-error`} hidden={error === undefined}>
        {error}
      </p>
    </div>
  )
}

const described = (id: string, { help, error }: FieldProps) => ({
  id,
  'aria-invalid': error !== undefined || undefined,
  'aria-describedby':
    [help !== undefined && `${id}-help`, error !== undefined && `${id}-error`].filter(Boolean).join(' ') || undefined,
})

type TextFieldProps = FieldProps &
  Omit<ComponentProps<'input'>, 'id' | 'onChange' | 'className'> & { onChange: (value: string) => void }

export function TextField({ label, help, error, onChange, ...input }: TextFieldProps) {
  const id = useId()
  const frame = { label, ...(help === undefined ? {} : { help }), error }
  return (
    <Frame id={id} {...frame}>
      <input
        type="text"
        {...input}
        {...described(id, frame)}
        className={styles.input}
        onChange={(event) => onChange(event.target.value)}
      />
    </Frame>
  )
}

type TextAreaProps = FieldProps &
  Omit<ComponentProps<'textarea'>, 'id' | 'onChange' | 'className'> & { onChange: (value: string) => void }

export function TextArea({ label, help, error, onChange, ...input }: TextAreaProps) {
  const id = useId()
  const frame = { label, ...(help === undefined ? {} : { help }), error }
  return (
    <Frame id={id} {...frame}>
      <textarea
        rows={5}
        {...input}
        {...described(id, frame)}
        className={styles.area}
        onChange={(event) => onChange(event.target.value)}
      />
    </Frame>
  )
}

type SelectFieldProps = FieldProps & {
  value: string
  options: readonly { value: string; label: string }[]
  onChange: (value: string) => void
  disabled?: boolean
}

export function SelectField({ label, help, error, value, options, onChange, disabled }: SelectFieldProps) {
  const id = useId()
  const frame = { label, ...(help === undefined ? {} : { help }), error }
  return (
    <Frame id={id} {...frame}>
      <select
        {...described(id, frame)}
        className={styles.select}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Frame>
  )
}

interface CheckFieldProps {
  label: string
  help?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  /** The group of the box has an error, which is shown beside it. */
  invalid?: boolean
}

export function CheckField({ label, help, checked, onChange, disabled, invalid = false }: CheckFieldProps) {
  const id = useId()
  return (
    <div className={styles.check}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-invalid={invalid || undefined}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {help !== undefined && (
        <p className={styles.help} id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  )
}
