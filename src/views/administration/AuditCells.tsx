import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import type { AuditEntry } from '../../api/contract/system.ts'
import { formatBytes } from '../../i18n/bytes.ts'
import { apiErrorText } from '../../i18n/errors.ts'
import { formatClock, formatDay, formatMoment } from '../../i18n/formats.ts'
import { pathOf } from '../../machines/administration/audit-target.ts'
import type { SchemaField } from '../../machines/administration/schema-fields.ts'
import { actions, changed, outcomes } from './audit-words.ts'
import { useMaskWords } from '../masks/mask-words.ts'
import { useDuration } from '../ui/use-duration.ts'
import { Changes } from './Changes.tsx'
import { useConfigurationWords } from './configuration-words.ts'
import styles from './Administration.module.css'

export function User({ entry: { login, userName = '', userId } }: { entry: AuditEntry }) {
  if (login === '' && userName === '') return null
  return (
    <div className={styles.stack} title={userId}>
      <span>{login}</span>
      {userName !== '' && <Now name={userName} />}
    </div>
  )
}

function Now({ name }: { name: string }) {
  return (
    <span className={styles.aside}>
      <Trans>now {name}</Trans>
    </span>
  )
}

export function Action({ action }: { action: string }) {
  const { t } = useLingui()
  const known = Object.hasOwn(actions, action) ? actions[action] : undefined
  return <span title={action}>{known === undefined ? action : t(known)}</span>
}

export function Target({ entry }: { entry: AuditEntry }) {
  const { target, claimed = '', changes = [] } = entry
  if (target === '' && claimed === '' && changes.length === 0) return null
  return (
    <div className={styles.stack}>
      {target !== '' && <TargetLink entry={entry} />}
      {claimed !== '' && (
        <span className={styles.aside}>
          <Trans>
            Unknown: <bdi>{claimed}</bdi>
          </Trans>
        </span>
      )}
      {changes.length > 0 && <Changed entry={entry} />}
    </div>
  )
}

/** The end of a range, with its date only if that differs. */
function endText(from: number, to: number): string {
  return formatDay(from) === formatDay(to) ? formatClock(to) : formatMoment(to)
}

function TargetLink({ entry }: { entry: AuditEntry }) {
  const path = pathOf(entry)
  const [id = '', range = ''] = entry.target.split(' ')
  const [from = '', to = ''] = range.split('/').map((end) => Date.parse(end))
  const isUser = entry.action.startsWith('user.')
  const words = (
    <>
      <span title={id}>{(isUser ? '' : entry.name) || id}</span>
      {Number.isFinite(from) && <> · {formatMoment(Number(from))}</>}
      {Number.isFinite(to) && <> – {endText(Number(from), Number(to))}</>}
    </>
  )
  return (
    <>
      {path === null ? <span>{words}</span> : <Link href={path}>{words}</Link>}
      {isUser && entry.name !== '' && <Now name={entry.name} />}
    </>
  )
}

/** A field for the list of changes, where no schema describes it. */
const plainField = {
  description: '',
  kind: 'text',
  options: [],
  hasNumbers: false,
  empty: '',
  isSecret: false,
  isWhole: false,
  min: null,
  max: null,
} satisfies Partial<SchemaField>

function Changed({ entry: { action, changes = [] } }: { entry: AuditEntry }) {
  const { t } = useLingui()
  const words = useConfigurationWords()
  const { nameOf } = useMaskWords()
  const titleOf = (path: string) => {
    if (action.startsWith('configuration.')) return words.field({ ...plainField, path, title: path }).title
    const [, mask] = /^masks\.(\d+)$/.exec(path) ?? []
    if (mask !== undefined) return nameOf(Number(mask))
    const known = Object.hasOwn(changed, path) ? changed[path] : undefined
    return known === undefined ? path : t(known)
  }
  const listed = changes.map(({ path, from = '', to = '' }) => ({ path, before: from, after: to }))
  const fields = changes.map(({ path }): SchemaField => ({ ...plainField, path, title: titleOf(path) }))
  return (
    <details className={styles.changed}>
      <summary>
        <Plural value={changes.length} one="# change" other="# changes" />:{' '}
        {fields
          .slice(0, 3)
          .map(({ title }) => title)
          .join(', ')}
        {fields.length > 3 && '…'}
      </summary>
      <Changes changes={listed} fields={fields} />
    </details>
  )
}

const watching: ReadonlySet<string> = new Set(['stream.view', 'archive.view'])

function Watched({ seconds }: { seconds: number }) {
  const length = useDuration(seconds)
  return (
    <span className={styles.aside}>
      <Trans>watched for {length}</Trans>
    </span>
  )
}

/** The outcome of an action; one that the console doesn't know is shown as received. */
export function Outcome({ entry: { time, action, outcome: code, times = 1, bytes, endTime } }: { entry: AuditEntry }) {
  const { t } = useLingui()
  if (code === '') return null
  const known = Object.hasOwn(outcomes, code) ? outcomes[code] : undefined
  const errorText = apiErrorText(code)
  const refused = errorText.code === '' ? t(errorText.message) : code
  const tone = known === undefined && errorText.code === '' ? 'bad' : known?.tone
  const last = endTime === undefined ? '' : formatMoment(endTime)
  const sent = formatBytes(bytes ?? 0)
  return (
    <div className={styles.stack}>
      <span className={styles.state} title={code}>
        <i className={styles.mark} data-tone={tone} aria-hidden="true" />
        {known === undefined ? refused : t(known.words)}
      </span>
      {bytes !== undefined && (
        <span className={styles.aside}>
          <Trans>{sent} sent</Trans>
        </span>
      )}
      {times === 1 && watching.has(action) && time !== undefined && endTime !== undefined && (
        <Watched seconds={(endTime - time) / 1000} />
      )}
      {times > 1 && (
        <span className={styles.aside}>
          {last === '' ? (
            <Plural value={times} one="# time" other="# times" />
          ) : (
            <Plural value={times} one={`# time until ${last}`} other={`# times until ${last}`} />
          )}
        </span>
      )}
    </div>
  )
}
