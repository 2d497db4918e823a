import type { FormEvent } from 'react'
import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowLeft, Send } from 'lucide-react'
import type { ActorRefFrom } from 'xstate'
import type { PlainRequest } from '../../api/resources/open-api.ts'
import type { apiDocumentationMachine } from '../../machines/api-documentation/api-documentation.machine.ts'
import { nonNullOf, typeOf } from '../../machines/api-documentation/example.ts'
import type { Operation, Parameter } from '../../machines/api-documentation/operations.ts'
import { type RequestFields, curlOf, isJson, missingParameters } from '../../machines/api-documentation/request.ts'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { SelectField, TextArea, TextField } from '../ui/Field.tsx'
import { Panel } from '../ui/Page.tsx'
import { Method } from './Method.tsx'
import { ResponsePanel } from './ResponsePanel.tsx'
import { SchemaMembers } from './SchemaMembers.tsx'
import styles from './ApiDocumentation.module.css'

interface OperationPanelProps {
  actor: ActorRefFrom<typeof apiDocumentationMachine>
  operation: Operation
  fields: RequestFields
  request: PlainRequest
}

export function OperationPanel({ actor, operation, fields, request }: OperationPanelProps) {
  const { t } = useLingui()
  const isConfirming = useSelector(actor, (snapshot) => snapshot.matches({ open: 'confirming' }))
  const isSending = useSelector(actor, (snapshot) => snapshot.matches({ open: 'sending' }))
  const outcome = useSelector(actor, ({ context }) => context.outcomes[operation.id])
  const baseUrl = useSelector(actor, ({ context }) => context.baseUrl)
  const { method, path, summary, description, parameters, body, responses, isPublic } = operation
  const curl = curlOf(request, baseUrl, isPublic)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    actor.send({ type: 'request.submitted' })
  }
  return (
    <>
      <header className={styles.head}>
        <Button
          className={styles.back}
          variant="quiet"
          icon={<ArrowLeft size={16} aria-hidden="true" />}
          onClick={() => actor.send({ type: 'operation.selected', id: null })}
        >
          {t`All calls`}
        </Button>
        <h2 className={styles.call}>
          <Method name={method} />
          <code>{path}</code>
        </h2>
        {summary !== '' && <p>{summary}</p>}
        {description !== '' && <p className={styles.muted}>{description}</p>}
      </header>
      <form onSubmit={submit} noValidate className={styles.form}>
        {parameters.length > 0 && (
          <Panel title={t`Parameters`}>
            <Parameters actor={actor} operation={operation} fields={fields} />
          </Panel>
        )}
        {body !== null && (
          <Panel title={t`Body`}>
            <Body actor={actor} fields={fields} />
            <SchemaMembers schema={body} label={t`Body schema`} />
          </Panel>
        )}
        <div className={styles.send}>
          <Button
            type="submit"
            variant="primary"
            busy={isSending}
            icon={<Send size={16} aria-hidden="true" />}
          >{t`Send`}</Button>
          <Button disabled={!isSending} onClick={() => actor.send({ type: 'request.cancelled' })}>{t`Cancel`}</Button>
        </div>
      </form>
      {outcome !== undefined && <ResponsePanel {...outcome} />}
      <Panel title={t`curl command`} actions={<CopyButton text={curl} />}>
        <pre className={styles.code}>{curl}</pre>
      </Panel>
      <Panel title={t`Responses`}>
        {responses.map(({ status, type, schema }) => (
          <div key={status} className={styles.answer}>
            <p>
              <code>{status}</code> <span className={styles.muted}>{type}</span>
            </p>
            {schema !== null && <SchemaMembers schema={schema} label={t`Response schema`} />}
          </div>
        ))}
        <p className={styles.muted}>
          <Trans>An error has a status of 400 or more and a JSON object with a code, for example NotFound.</Trans>
        </p>
      </Panel>
      {isConfirming && (
        <ConfirmDialog
          title={t`Send ${method}?`}
          confirmLabel={t`Send`}
          onCancel={() => actor.send({ type: 'request.cancelled' })}
          onConfirm={() => actor.send({ type: 'request.confirmed' })}
        >
          <p>
            <Trans>This call goes to the live server. What it deletes can't be restored:</Trans>
          </p>
          <pre className={styles.code}>{request.path}</pre>
        </ConfirmDialog>
      )}
    </>
  )
}

type PartProps = Pick<OperationPanelProps, 'actor' | 'fields'>

function Parameters({ actor, operation, fields }: PartProps & { operation: Operation }) {
  const { t } = useLingui()
  const hasErrors = useSelector(actor, ({ context }) => context.hasErrors)
  const missing = hasErrors ? missingParameters(operation, fields) : []
  return (
    <div className={styles.parameters}>
      {operation.parameters.map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          value={fields.parameters[parameter.name] ?? ''}
          error={missing.includes(parameter.name) ? t`Fill this in` : undefined}
          onChange={(value) => actor.send({ type: 'parameter.edited', name: parameter.name, value })}
        />
      ))}
    </div>
  )
}

interface ParameterFieldProps {
  parameter: Parameter
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

function ParameterField({
  parameter: { name, location, isRequired, description, schema },
  value,
  error,
  onChange,
}: ParameterFieldProps) {
  const { t } = useLingui()
  const plain = nonNullOf(schema)
  const where = location === 'path' ? t`in the path` : t`in the query`
  const help = [typeOf(schema), where, isRequired ? t`required` : t`optional`, description]
    .filter((part) => part !== '')
    .join(' · ')
  if (Array.isArray(plain['enum'])) {
    const options = [
      { value: '', label: '–' },
      ...plain['enum'].map((one) => ({ value: String(one), label: String(one) })),
    ]
    return <SelectField label={name} help={help} error={error} value={value} options={options} onChange={onChange} />
  }
  return (
    <TextField
      label={name}
      help={help}
      error={error}
      value={value}
      spellCheck={false}
      autoComplete="off"
      onChange={onChange}
    />
  )
}

function Body({ actor, fields }: PartProps) {
  const { t } = useLingui()
  const isBroken = fields.body.trim() !== '' && !isJson(fields.body)
  return (
    <TextArea
      label="JSON"
      rows={Math.min(18, Math.max(4, fields.body.split('\n').length))}
      spellCheck={false}
      value={fields.body}
      error={isBroken ? t`This isn't valid JSON yet` : undefined}
      onChange={(body) => actor.send({ type: 'body.edited', body })}
    />
  )
}
