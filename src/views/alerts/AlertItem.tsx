import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { CircleAlert, CircleCheck, Pencil, Send, Trash2 } from 'lucide-react'
import type { Alert } from '../../api/contract/alerts.ts'
import { apiErrorText } from '../../i18n/errors.ts'
import type { TestResult } from '../../machines/alerts/alerts.machine.ts'
import { useLabelNames } from '../events/use-label-names.ts'
import { zoneText } from '../timeline/zone-text.ts'
import { Button } from '../ui/Button.tsx'
import { quietWords } from './weekdays.ts'
import { addressWords, channelWords, eventWords, useFailure, useWords } from './words.ts'
import styles from './Alerts.module.css'

interface AlertItemProps {
  alert: Alert
  nameOf: (uid: string) => string
  isTesting: boolean
  /** The test of another alert is being sent: only one is at a time. */
  isOtherTesting: boolean
  testResult: TestResult | null
  onTest: () => void
  onEdit: () => void
  onDelete: () => void
}

const shownCameras = 5

export function AlertItem(props: AlertItemProps) {
  const { alert, nameOf, isTesting, isOtherTesting, testResult, onTest, onEdit, onDelete } = props
  const { t } = useLingui()
  const words = useWords()
  const labelNames = useLabelNames()
  const { id, on, streams, labels, quietMinutes, to, quietHours } = alert
  const hours = quietHours == null ? '' : quietWords(quietHours)
  const zone = zoneText(quietHours?.timezone ?? '')
  const name = alert.name || id
  const cameras = streams.slice(0, shownCameras).map(nameOf).join(', ')
  const hidden = streams.length - shownCameras
  const list = labels.map(labelNames.nameOf).join(', ')
  return (
    <li className={styles.item} aria-label={name}>
      <div className={styles.what}>
        <strong>{name}</strong>
        <p>{on.map((event) => words(eventWords, event)).join(' · ')}</p>
        {streams.length > 0 && (
          <p className={styles.muted}>
            <Trans>Cameras: {cameras}</Trans>{' '}
            {hidden > 0 && <Plural value={hidden} one="and # more" other="and # more" />}
          </p>
        )}
        {labels.length > 0 && (
          <p className={styles.muted}>
            <Trans>Labels: {list}</Trans>
          </p>
        )}
        {quietMinutes > 0 && (
          <p className={styles.muted}>
            <Plural value={quietMinutes} one="Not repeated within # minute" other="Not repeated within # minutes" />
          </p>
        )}
        {hours !== '' && (
          <p className={styles.muted}>
            <Trans>
              Quiet hours: {hours} ({zone})
            </Trans>
          </p>
        )}
        <ul className={styles.addresses}>
          {to.map(({ kind, address }) => (
            <li key={`${kind} ${address}`}>
              <span className={styles.kind}>{words(channelWords, kind)}</span> {addressWords(kind, address)}
            </li>
          ))}
        </ul>
        <div role="status">{testResult !== null && <TestReport testResult={testResult} />}</div>
      </div>
      <div className={styles.actions}>
        <Button
          icon={<Send size={16} aria-hidden="true" />}
          busy={isTesting}
          disabled={isOtherTesting}
          onClick={onTest}
          aria-label={t`Send a test of ${name}`}
        >
          {t`Send a test`}
        </Button>
        <Button icon={<Pencil size={16} aria-hidden="true" />} onClick={onEdit} aria-label={t`Edit ${name}`}>
          {t`Edit`}
        </Button>
        <Button icon={<Trash2 size={16} aria-hidden="true" />} onClick={onDelete} aria-label={t`Delete ${name}`}>
          {t`Delete`}
        </Button>
      </div>
    </li>
  )
}

function TestReport({ testResult: { items, apiError } }: { testResult: TestResult }) {
  const { i18n } = useLingui()
  const failure = useFailure()
  if (apiError !== null) {
    const { message, code } = apiErrorText(apiError.code)
    const words = `${i18n._(message)} ${code}`.trim()
    return (
      <p className={styles.apiError}>
        <CircleAlert size={16} aria-hidden="true" /> <Trans>Not sent: {words}</Trans>
      </p>
    )
  }
  if (items.length === 0) {
    return (
      <p className={styles.good}>
        <CircleCheck size={16} aria-hidden="true" /> <Trans>A test was sent</Trans>
      </p>
    )
  }
  return items.map(({ kind, address: given, sent, failureReason }) => {
    const address = addressWords(kind, given)
    const reason = failure(failureReason)
    return sent ? (
      <p key={`${kind} ${given}`} className={styles.good}>
        <CircleCheck size={16} aria-hidden="true" /> <Trans>{address}: a test was sent</Trans>
      </p>
    ) : (
      <p key={`${kind} ${given}`} className={styles.apiError}>
        <CircleAlert size={16} aria-hidden="true" />{' '}
        <Trans>
          {address}: {reason}
        </Trans>
      </p>
    )
  })
}
