import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react'
import { Link } from 'wouter'
import type { ActorRefFrom } from 'xstate'
import { pathTo } from '../../machines/app/routes.ts'
import {
  addedCount,
  type batchMachine,
  type BatchOutcome,
  waitingRowCount,
} from '../../machines/stream-pages/batch.machine.ts'
import { fieldErrors } from '../../machines/form/refused-fields.ts'
import { selectContext, selectIsBusy } from '../../machines/selectors.ts'
import { type BatchRow, maxRows } from '../../machines/stream-pages/batch-rows.ts'
import { withHiddenPassword } from '../../machines/stream-pages/source-credentials.ts'
import { useProbeApiError, useStreamFieldError } from '../stream-pages/words.ts'
import fields from '../stream-pages/StreamFields.module.css'
import { Button } from '../ui/Button.tsx'
import { TextArea } from '../ui/Field.tsx'
import { ChooseFile, FileDrop } from '../ui/FileDrop.tsx'
import { type Column, Table } from '../ui/Table.tsx'
import { useFileText } from '../ui/use-file-text.ts'
import { CameraCredentials } from './CameraCredentials.tsx'
import styles from './BatchForm.module.css'

export function BatchForm({ actor }: { actor: ActorRefFrom<typeof batchMachine> }) {
  const { t } = useLingui()
  const context = useSelector(actor, selectContext)
  const isBusy = useSelector(actor, selectIsBusy)
  const example = [
    t`Gate, rtsp://camera-1.example/stream, north|entrances, Yard`,
    t`Hall, rtsp://camera-2.example/stream`,
  ].join('\n')
  const help = [
    t`One stream per line: name, source, tags (separated by | or spaces), location.`,
    t`The first line may name the columns; substream, login and password columns are possible too.`,
    t`Paste the list or drop a CSV file here; at most ${maxRows} lines.`,
  ].join(' ')
  const { text, rows, kept, credentials, outcomes, queue } = context
  const waiting = waitingRowCount(context)
  const added = addedCount(context)
  const edit = (value: string) => actor.send({ type: 'batch.edited', text: value })
  const { read, error } = useFileText(text, edit)
  const columns: readonly Column<BatchRow>[] = [
    { id: 'line', label: t`Line`, isFigure: true, render: ({ line }) => line },
    { id: 'name', label: t`Name`, render: ({ values }) => <strong>{values.name}</strong> },
    {
      id: 'source',
      label: t`Source`,
      render: ({ values }) => <code className={styles.source}>{withHiddenPassword(values.streamSource)}</code>,
    },
    ...(rows.some(({ values }) => values.substreamSource !== '')
      ? [
          {
            id: 'substream',
            label: t`Substream`,
            render: ({ values }: BatchRow) => (
              <code className={styles.source}>{withHiddenPassword(values.substreamSource)}</code>
            ),
          },
        ]
      : []),
    ...(rows.some(({ values }) => values.login !== '')
      ? [{ id: 'login', label: t`Login`, render: ({ values }: BatchRow) => values.login }]
      : []),
    { id: 'tags', label: t`Tags`, render: ({ values }) => values.tags.join(', ') },
    { id: 'location', label: t`Location`, render: ({ values }) => values['location.name'] },
    {
      id: 'result',
      label: t`Result`,
      render: (row) => (
        <Outcome row={row} outcome={outcomes[row.line]} isCurrent={isBusy && queue[0]?.line === row.line} />
      ),
    },
  ]
  return (
    <div className={fields.form}>
      <FileDrop onFile={read}>
        <TextArea
          label={t`List of streams`}
          rows={8}
          spellCheck={false}
          autoComplete="off"
          readOnly={isBusy}
          placeholder={example}
          help={help}
          value={text}
          error={error}
          onChange={edit}
        />
        <ChooseFile accept=".csv,.tsv,.txt,text/csv" disabled={isBusy} onFile={read} />
      </FileDrop>
      {/* For password managers, a password belongs to a form. */}
      <form className={fields.fields} onSubmit={(event) => event.preventDefault()}>
        <p className={fields.note}>
          <Trans>Login and password of the cameras whose lines have none of their own:</Trans>
        </p>
        <CameraCredentials
          credentials={credentials}
          readOnly={isBusy}
          onEdit={(edited) => actor.send({ type: 'credentials.edited', credentials: edited })}
        />
      </form>
      <div className={fields.submit}>
        <Button
          variant="primary"
          busy={isBusy}
          disabled={waiting === 0}
          onClick={() => actor.send({ type: 'batch.submitted' })}
        >
          <Plural value={waiting} _0="Add streams" one="Add # stream" other="Add # streams" />
        </Button>
        {isBusy && <Button onClick={() => actor.send({ type: 'batch.cancelled' })}>{t`Stop`}</Button>}
        <span className={fields.note} role="status">
          {added > 0 && <Plural value={added} one="# stream is added." other="# streams are added." />}
        </span>
      </div>
      {Object.keys(kept).length > 0 && (
        <p className={fields.note}>
          <Trans>The login and password of the found cameras are stored with their addresses and not shown.</Trans>
        </p>
      )}
      {rows.length > 0 && (
        <Table label={t`List of streams`} columns={columns} rows={rows} keyOf={({ line }) => String(line)} />
      )}
    </div>
  )
}

function Outcome({
  row,
  outcome,
  isCurrent,
}: {
  row: BatchRow
  outcome: BatchOutcome | undefined
  isCurrent: boolean
}) {
  const { t } = useLingui()
  const apiError = outcome?.isAdded === false ? outcome.apiError : null
  const errors =
    apiError?.code === 'ValidationError' ? fieldErrors(apiError, { fieldOfCode: {}, values: row.values }) : row.errors
  const errorOf = useStreamFieldError(errors)
  const apiErrorWords = useProbeApiError()
  const labels: Readonly<Record<string, string>> = {
    name: t`Name`,
    streamSource: t`Source`,
    substreamSource: t`Substream`,
    tags: t`Tags`,
    'location.name': t`Location`,
  }
  const wrong = Object.keys(errors).map((field) =>
    labels[field] === undefined ? errorOf(field) : `${labels[field]}: ${errorOf(field)}`,
  )
  if (isCurrent) {
    return (
      <span className={styles.outcome} aria-busy="true">
        <CircleDashed size={16} aria-hidden="true" />
        {t`Adding`}
      </span>
    )
  }
  if (wrong.length > 0 || outcome?.isAdded === false) {
    return (
      <span className={styles.bad}>
        <CircleAlert size={16} aria-hidden="true" />
        {wrong.length > 0 ? wrong.join('; ') : apiError !== null && apiErrorWords(apiError)}
      </span>
    )
  }
  if (outcome === undefined) return <span className={styles.outcome}>{t`Ready`}</span>
  return (
    <span className={styles.good}>
      <CircleCheck size={16} aria-hidden="true" />
      <Link href={pathTo('streamView', { uid: outcome.uid })}>
        <Trans>Added</Trans>
      </Link>
    </span>
  )
}
