import { useState } from 'react'
import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ActorRefFrom } from 'xstate'
import { brokenText, changesBetween } from '../../machines/administration/configuration-values.ts'
import type {
  configurationFormMachine,
  configurationMachine,
} from '../../machines/administration/configuration.machine.ts'
import type { SchemaField } from '../../machines/administration/schema-fields.ts'
import { Form } from '../form/Form.tsx'
import { Button } from '../ui/Button.tsx'
import { Page, Panel } from '../ui/Page.tsx'
import { Resource } from '../ui/Resource.tsx'
import { SearchBox } from '../ui/SearchBox.tsx'
import { Changes } from './Changes.tsx'
import { ConfigurationHistory } from './ConfigurationHistory.tsx'
import { ConfigurationText } from './ConfigurationText.tsx'
import { useConfigurationError, useConfigurationWords } from './configuration-words.ts'
import { SchemaInput } from './SchemaInput.tsx'
import styles from './Configuration.module.css'

export function ConfigurationPage({ actor }: { actor: ActorRefFrom<typeof configurationMachine> }) {
  const { t } = useLingui()
  const { fields, form, history, apiError } = useSelector(actor, ({ context }) => context)
  return (
    <Page title={t`Configuration`} width="narrow">
      <Resource value={form} apiError={apiError} onRetry={() => actor.send({ type: 'resource.retried' })}>
        {(open) => <ConfigurationForm form={open} fields={fields} />}
      </Resource>
      {form !== null && history !== null && (
        <ConfigurationHistory
          history={history}
          form={form}
          fields={fields}
          onRestore={(values) => actor.send({ type: 'version.restored', values })}
        />
      )}
    </Page>
  )
}

interface ConfigurationFormProps {
  form: ActorRefFrom<typeof configurationFormMachine>
  fields: readonly SchemaField[]
}

function ConfigurationForm({ form, fields }: ConfigurationFormProps) {
  const { t } = useLingui()
  const words = useConfigurationWords()
  const { values, saved, errors } = useSelector(form, ({ context }) => context)
  const isBusy = useSelector(form, (snapshot) => snapshot.hasTag('busy'))
  const errorOf = useConfigurationError(errors, fields)
  const [search, setSearch] = useState('')
  const [isText, setText] = useState(false)
  const query = search.trim().toLowerCase()
  const worded = fields.map((field) => ({ ...field, ...words.field(field) }))
  const found = worded.filter(({ path, title, description }) =>
    `${path} ${title} ${description} ${words.group(groupOf(path))}`.toLowerCase().includes(query),
  )
  const groups = [...new Set(found.map(({ path }) => groupOf(path)))]
  const changes = changesBetween(saved, values)
  const isBroken = values[brokenText] !== undefined
  const hiddenErrors = Object.keys(errors).filter((path) =>
    path === brokenText ? !isText : isText || !found.some((field) => field.path === path),
  )
  return (
    <Form form={form} className={styles.form}>
      <div className={styles.tools}>
        <SearchBox label={t`Search in the configuration`} value={search} onChange={setSearch} />
        <Button aria-pressed={isText} onClick={() => setText(!isText)}>{t`As JSON`}</Button>
      </div>
      {isText ? (
        <Panel>
          <ConfigurationText
            values={values}
            onEdit={(next) => form.send({ type: 'form.edited', values: { ...unknownIn(values, saved), ...next } })}
            onBreak={(text) => form.send({ type: 'form.edited', values: { [brokenText]: text } })}
          />
        </Panel>
      ) : (
        groups.map((group) => (
          <Panel key={group} title={words.group(group)}>
            {found
              .filter(({ path }) => groupOf(path) === group)
              .map((field) => (
                <SchemaInput
                  key={field.path}
                  field={field}
                  value={values[field.path]}
                  error={errorOf(field.path)}
                  onEdit={(path, value) => form.send({ type: 'form.edited', values: { [path]: value } })}
                />
              ))}
          </Panel>
        ))
      )}
      {!isText && found.length === 0 && <p>{t`No matches`}</p>}
      {hiddenErrors.length > 0 && (
        <ul role="alert" className={styles.errors}>
          {hiddenErrors.map((path) => (
            <li key={path}>
              {path === brokenText ? t`As JSON` : <code>{path}</code>}: {errorOf(path)}
            </li>
          ))}
        </ul>
      )}
      <div className={styles.bar} data-dirty={changes.length > 0}>
        {changes.length > 0 && (
          <section className={styles.diff} aria-label={t`What will change`}>
            <Changes changes={changes} fields={worded} />
          </section>
        )}
        <div className={styles.row}>
          <span role="status">
            {changes.length === 0 ? (
              <Trans>No changes</Trans>
            ) : (
              <Plural value={changes.length} one="# change" other="# changes" />
            )}
          </span>
          <Button
            disabled={isBusy || (changes.length === 0 && !isBroken)}
            onClick={() => form.send({ type: 'form.reset', values: saved })}
          >{t`Discard`}</Button>
          <Button type="submit" variant="primary" busy={isBusy} disabled={changes.length === 0}>{t`Save`}</Button>
        </div>
      </div>
    </Form>
  )
}

/** Paths that the server doesn't have, as undefined: what was typed by mistake goes once the text lacks it. */
const unknownIn = (values: Record<string, unknown>, saved: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.keys(values).flatMap((path) => (Object.hasOwn(saved, path) ? [] : [[path, undefined]])))

const groupOf = (path: string): string => (path.includes('.') ? (path.split('.')[0] ?? '') : '')
