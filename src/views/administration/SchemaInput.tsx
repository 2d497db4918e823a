import { useLingui } from '@lingui/react/macro'
import { formatNumber } from '../../i18n/formats.ts'
import { type SchemaField, shown, typed } from '../../machines/administration/schema-fields.ts'
import { CheckField, SelectField, TextArea, TextField } from '../ui/Field.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'

interface SchemaInputProps {
  field: SchemaField
  value: unknown
  error: string | undefined
  onEdit: (path: string, value: unknown) => void
}

/** A field of the kind that the schema says. */
export function SchemaInput({ field: { path, title, description, kind, options, isSecret, least, most }, value, error, onEdit }: SchemaInputProps) {
  const { t } = useLingui()
  const onChange = (text: string) => onEdit(path, typed(kind, text))
  const bounds = least === null || most === null ? '' : t`From ${formatNumber(least)} to ${formatNumber(most)}`
  const help = [description, kind === 'number' ? bounds : ''].filter((part) => part !== '').join('. ')
  const told = error === 'outOfRange' ? bounds || t`This number can't be used here` : error
  const frame = { label: title, error: told, ...(help === '' || told === bounds ? {} : { help }) }
  if (kind === 'flag') return <CheckField {...frame} checked={value === true} onChange={(checked) => onEdit(path, checked)} />
  if (kind === 'choice') return <SelectField {...frame} value={shown(value)} options={options.map((option) => ({ value: option, label: option }))} onChange={onChange} />
  if (kind === 'lines') return <TextArea {...frame} rows={3} value={shown(value)} onChange={onChange} />
  if (isSecret) return <PasswordField {...frame} autoComplete="off" value={shown(value)} onChange={onChange} />
  return <TextField {...frame} inputMode={kind === 'number' ? 'decimal' : 'text'} value={shown(value)} onChange={onChange} />
}
