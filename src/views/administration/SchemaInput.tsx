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

export function SchemaInput({ field, value, error, onEdit }: SchemaInputProps) {
  const { path, title, description, kind, options, isSecret } = field
  const onChange = (text: string) => onEdit(path, parseField(field, text))
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
  if (kind === 'lines') return <TextArea {...frame} rows={3} value={formatField(value)} onChange={onChange} />
  if (isSecret) return <PasswordField {...frame} autoComplete="off" value={formatField(value)} onChange={onChange} />
  return (
    <TextField
      {...frame}
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      value={formatField(value)}
      onChange={onChange}
    />
  )
}

/** A value that isn't set, or not allowed, is shown as it is, so that each of the others can be chosen. */
const withChosen = (options: readonly string[], chosen: string): readonly string[] =>
  options.includes(chosen) ? options : [chosen, ...options]
