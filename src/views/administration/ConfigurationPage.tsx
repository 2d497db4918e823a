import { useState } from 'react'
import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ActorRefFrom } from 'xstate'
import { type configurationFormMachine, type configurationMachine, flatten, isRecord, nest } from '../../machines/administration/configuration.machine.ts'
import { Form } from '../form/Form.tsx'
import { Button } from '../ui/Button.tsx'
import { CheckField, SelectField, TextArea, TextField } from '../ui/Field.tsx'
import { useFieldError } from '../ui/field-errors.ts'
import { Page, Panel } from '../ui/Page.tsx'
import { Resource } from '../ui/Resource.tsx'
import { type SchemaField, fieldsOf, shown, typed } from './schema-fields.ts'
import styles from './Administration.module.css'

export function ConfigurationPage({ actor }: { actor: ActorRefFrom<typeof configurationMachine> }) {
  const { t } = useLingui()
  const { schema, form, refusal } = useSelector(actor, ({ context }) => context)
  return (
    <Page title={t`Configuration`} width="narrow">
      <Resource value={form} refusal={refusal} onRetry={() => actor.send({ type: 'resource.retried' })}>
        {(open) => <ConfigurationForm form={open} fields={fieldsOf(schema)} />}
      </Resource>
    </Page>
  )
}

interface ConfigurationFormProps {
  form: ActorRefFrom<typeof configurationFormMachine>
  fields: readonly SchemaField[]
}

function ConfigurationForm({ form, fields }: ConfigurationFormProps) {
  const { t } = useLingui()
  const { values, saved, errors } = useSelector(form, ({ context }) => context)
  const isBusy = useSelector(form, (snapshot) => snapshot.hasTag('busy'))
  const errorOf = useFieldError(errors)
  const [search, setSearch] = useState('')
  const [isText, setText] = useState(false)
  const wanted = search.trim().toLowerCase()
  const found = fields.filter(({ path, title, description }) => `${path} ${title} ${description}`.toLowerCase().includes(wanted))
  const changed = Object.keys(values).filter((path) => JSON.stringify(values[path]) !== JSON.stringify(saved[path]))
  const edit = (path: string, value: unknown) => form.send({ type: 'form.edited', values: { [path]: value } })
  return (
    <Form form={form} className={styles.form}>
      <div className={styles.row}>
        <TextField label={t`Search in the configuration`} type="search" value={search} onChange={setSearch} />
        <Button aria-pressed={isText} onClick={() => setText(!isText)}>{t`As text`}</Button>
      </div>
      <Panel>
        {isText ? (
          <ConfigurationText values={values} onEdit={(next) => form.send({ type: 'form.edited', values: next })} />
        ) : (
          found.map((field) => <SchemaInput key={field.path} field={field} value={values[field.path]} error={errorOf(field.path)} onEdit={edit} />)
        )}
        {!isText && found.length === 0 && <p>{t`Nothing found`}</p>}
      </Panel>
      {changed.length > 0 && (
        <Panel title={t`What will change`}>
          <ul className={styles.changed}>
            {changed.map((path) => (
              <li key={path}>
                <code>{path}</code>: <del>{secretOr(fields, path, saved[path], t`empty`)}</del> → <ins>{secretOr(fields, path, values[path], t`empty`)}</ins>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <div className={styles.row}>
        <Button type="submit" variant="primary" busy={isBusy} disabled={changed.length === 0}>{t`Save`}</Button>
        {changed.length > 0 && <Button onClick={() => form.send({ type: 'form.reset', values: saved })}>{t`Discard`}</Button>}
        <span>{changed.length === 0 ? <Trans>Nothing changed</Trans> : <Plural value={changed.length} one="# change" other="# changes" />}</span>
      </div>
    </Form>
  )
}

function secretOr(fields: readonly SchemaField[], path: string, value: unknown, empty: string): string {
  if (fields.some((field) => field.path === path && field.isSecret)) return '•••'
  return shown(value) || empty
}

interface SchemaInputProps {
  field: SchemaField
  value: unknown
  error: string | undefined
  onEdit: (path: string, value: unknown) => void
}

function SchemaInput({ field: { path, title, description, kind, options, isSecret }, value, error, onEdit }: SchemaInputProps) {
  const frame = { label: title, error, ...(description === '' ? {} : { help: description }) }
  const onChange = (text: string) => onEdit(path, typed(kind, text))
  if (kind === 'flag') return <CheckField {...frame} checked={value === true} onChange={(checked) => onEdit(path, checked)} />
  if (kind === 'choice') return <SelectField {...frame} value={shown(value)} options={options.map((option) => ({ value: option, label: option }))} onChange={onChange} />
  if (kind === 'lines') return <TextArea {...frame} rows={3} value={shown(value)} onChange={onChange} />
  return <TextField {...frame} type={isSecret ? 'password' : 'text'} inputMode={kind === 'number' ? 'decimal' : 'text'} value={shown(value)} onChange={onChange} />
}

/** The values as JSON; what doesn't parse stays here with a word beside it, and changes nothing. */
function ConfigurationText({ values, onEdit }: { values: Record<string, unknown>; onEdit: (values: Record<string, unknown>) => void }) {
  const { t } = useLingui()
  const [text, setText] = useState(() => JSON.stringify(nest(values), null, 2))
  const [isBroken, setBroken] = useState(false)
  const change = (next: string) => {
    setText(next)
    const parsed = parse(next)
    setBroken(parsed === null)
    if (parsed !== null) onEdit(flatten(parsed))
  }
  return (
    <TextArea
      label={t`The configuration as JSON`}
      rows={18}
      spellCheck={false}
      value={text}
      error={isBroken ? t`This isn't valid JSON yet` : undefined}
      onChange={change}
    />
  )
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}
