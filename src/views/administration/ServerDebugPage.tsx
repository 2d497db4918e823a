import { useEffect, useRef, useState } from 'react'
import { useSelector } from '@xstate/react'
import { Plural, useLingui } from '@lingui/react/macro'
import { Download, Pause, Play } from 'lucide-react'
import type { ActorRefFrom } from 'xstate'
import type { LogLine } from '../../api/contract/stream.ts'
import { formatDateTime } from '../../i18n/formats.ts'
import type { serverLogMachine } from '../../machines/administration/administration.machines.ts'
import { useConsole } from '../app/console.ts'
import { Button } from '../ui/Button.tsx'
import { SelectField, TextField } from '../ui/Field.tsx'
import { Page } from '../ui/Page.tsx'
import { Resource } from '../ui/Resource.tsx'
import styles from './Administration.module.css'

const none: readonly LogLine[] = []

/** The server's own log as it is written: filtered, held still, kept as a file. */
export function ServerDebugPage({ actor }: { actor: ActorRefFrom<typeof serverLogMachine> }) {
  const { t } = useLingui()
  const { saveText } = useConsole()
  const { value, refusal } = useSelector(actor, ({ context }) => context)
  const [held, setHeld] = useState<readonly LogLine[] | null>(null)
  const [level, setLevel] = useState('')
  const [words, setWords] = useState('')
  const lines = held ?? value ?? none
  const levels = [...new Set(lines.map((line) => line.level))].filter((one) => one !== '').toSorted()
  const wanted = words.trim().toLowerCase()
  const shown = lines.filter((line) => (level === '' || line.level === level) && line.message.toLowerCase().includes(wanted))
  const text = () => shown.map((line) => `${line.time === undefined ? '' : new Date(line.time).toISOString()} ${line.level} ${line.message}\n`).join('')
  return (
    <Page
      title={t`Server debug`}
      note={<Plural value={shown.length} one="# line" other="# lines" />}
      actions={
        <>
          <Button
            icon={held === null ? <Pause size={16} aria-hidden="true" /> : <Play size={16} aria-hidden="true" />}
            aria-pressed={held !== null}
            onClick={() => setHeld(held === null ? lines : null)}
          >
            {held === null ? t`Hold` : t`Follow`}
          </Button>
          <Button icon={<Download size={16} aria-hidden="true" />} onClick={() => saveText('server.log', 'text/plain', text())}>{t`Download`}</Button>
        </>
      }
    >
      <div className={styles.filter}>
        <SelectField
          label={t`Level`}
          value={level}
          options={[{ value: '', label: t`All levels` }, ...levels.map((value) => ({ value, label: value }))]}
          onChange={setLevel}
        />
        <TextField label={t`Search in the log`} type="search" value={words} onChange={setWords} />
      </div>
      <Resource value={value} refusal={refusal} onRetry={() => actor.send({ type: 'resource.retried' })}>
        {() => <Lines lines={shown} label={t`Server log`} />}
      </Resource>
    </Page>
  )
}

/** Follows the newest line while one is at the end, and keeps its place while one reads further up. */
function Lines({ lines, label }: { lines: readonly LogLine[]; label: string }) {
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    if (isAtEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight
  })
  return (
    <div
      ref={box}
      className={styles.log}
      role="log"
      aria-label={label}
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight >= scrollHeight - 8
      }}
    >
      {lines.map(({ id, time, level, message }) => (
        <div key={id} className={styles.line} data-level={level.toLowerCase()}>
          <time>{time === undefined ? '' : formatDateTime(time, { timeStyle: 'medium' })}</time>
          <b>{level}</b>
          <span>{message}</span>
        </div>
      ))}
    </div>
  )
}
