import { useState } from 'react'
import { type SchemaField, formatField, parseField } from '../../machines/administration/schema-fields.ts'
import { CheckField, SelectField, TextArea, TextField } from '../ui/Field.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { useBounds } from './configuration-words.ts'

interface SchemaInputProps {
  field: SchemaField
  value: unknown
  error: string | undefined
  onEdit: (path: string, value: unknown) => void
}

/**
 * The field of a setting. What is typed stays as long as it stands for the value: the point of `1.` and the end of a
 * line aren't in the value until more is typed.
 */
export function SchemaInput({ field, value, error, onEdit }: SchemaInputProps) {
  const [typed, setTyped] = useState('')
  const { path, title, description, kind, options, isSecret } = field
  const onChange = (text: string) => {
    setTyped(text)
    onEdit(path, parseField(field, text))
  }
  const isTyped = JSON.stringify(parseField(field, typed)) === JSON.stringify(value)
  const text = isTyped ? typed : formatField(value)
  const bounds = useBounds()(field)
  const help = [description, bounds].filter((part) => part !== '').join('. ')
  const frame = { label: title, error, ...(help === '' || error === bounds ? {} : { help }) }
  if (kind === 'flag')
    return <CheckField {...frame} checked={value === true} onChange={(checked) => onEdit(path, checked)} />
  if (kind === 'choice')
    return (
      <SelectField
        {...frame}
        value={formatField(value)}
        options={withChosen(options.map(String), formatField(value)).map((option) => ({
          value: option,
          label: option,
        }))}
        onChange={onChange}
      />
    )
  if (kind === 'lines') return <TextArea {...frame} rows={3} value={text} onChange={onChange} />
  if (isSecret) return <PasswordField {...frame} autoComplete="off" value={text} onChange={onChange} />
  return <TextField {...frame} inputMode={kind === 'number' ? 'decimal' : 'text'} value={text} onChange={onChange} />
}

/** A value that isn't set, or not allowed, is shown as it is, so that each of the others can be chosen. */
const withChosen = (options: readonly string[], chosen: string): readonly string[] =>
  options.includes(chosen) ? options : [chosen, ...options]
