import { type KeyboardEvent, useId, useState } from 'react'
import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import fields from '../ui/Field.module.css'
import { removeRow } from '../ui/remove-row.ts'
import styles from './TagField.module.css'

interface TagFieldProps {
  label: string
  tags: readonly string[]
  error: string | undefined
  onChange: (tags: readonly string[]) => void
}

/**
 * Tags as chips: Enter, a comma or leaving the field adds the typed tag; Backspace in the empty field removes the last
 * one.
 */
export function TagField({ label, tags, error, onChange }: TagFieldProps) {
  const { t } = useLingui()
  const id = useId()
  const [draft, setDraft] = useState('')
  const add = (text: string) => {
    const added = text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '' && !tags.includes(tag))
    setDraft('')
    if (added.length > 0) onChange([...tags, ...new Set(added)])
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && draft.trim() !== '') {
      event.preventDefault()
      add(draft)
    }
    if (event.key === 'Backspace' && draft === '' && tags.length > 0) onChange(tags.slice(0, -1))
  }
  return (
    <div className={fields.field}>
      <label className={fields.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box} data-invalid={error === undefined ? undefined : ''}>
        {tags.map((tag) => (
          <span key={tag} className={styles.tag}>
            {tag}
            <button
              type="button"
              aria-label={t`Remove tag ${tag}`}
              title={t`Remove tag ${tag}`}
              onClick={() => removeRow('button', 'input', () => onChange(tags.filter((other) => other !== tag)))}
            >
              <X size={12} aria-hidden="true" />
            </button>
          </span>
        ))}
        <input
          id={id}
          className={styles.input}
          value={draft}
          autoComplete="off"
          aria-invalid={error !== undefined || undefined}
          aria-describedby={`${id}-help${error === undefined ? '' : ` ${id}-error`}`}
          onChange={({ target: { value } }) => (value.includes(',') ? add(value) : setDraft(value))}
          onKeyDown={onKeyDown}
          onBlur={() => add(draft)}
        />
      </div>
      <p className={fields.help} id={`${id}-help`}>
        {t`Press Enter or comma to add a tag.`}
      </p>
      <p className={fields.error} id={`${id}-error`} hidden={error === undefined}>
        {error}
      </p>
    </div>
  )
}
