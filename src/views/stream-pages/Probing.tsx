import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import { CircleAlert, ScanSearch } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { selectContext, selectIsBusy } from '../../machines/selectors.ts'
import type { ProbeSubject, probingMachine } from '../../machines/stream-pages/probing.machine.ts'
import { Button } from '../ui/Button.tsx'
import { Skeleton } from '../ui/State.tsx'
import { BlobPicture } from './BlobPicture.tsx'
import { Tracks } from './Tracks.tsx'
import { useProbeApiError } from './words.ts'
import styles from './Probing.module.css'

export type ProbingRef = ActorRefFrom<typeof probingMachine>
type Snapshot = SnapshotFrom<typeof probingMachine>

const selectIsProbed = (snapshot: Snapshot) => snapshot.matches('probed')
const selectIsPicturing = (snapshot: Snapshot) => snapshot.matches({ probed: 'picturing' })
const selectIsRefused = (snapshot: Snapshot) => snapshot.matches('refused')

/** The timeout of a probe. */
const maxSeconds = 60

interface ProbeButtonProps {
  actor: ProbingRef
  subject: ProbeSubject
  /** A second source that is probed at the same time. */
  second?: { actor: ProbingRef; subject: ProbeSubject } | null
  label: string
  disabled?: boolean
}

/** Probes one or two sources; while that is under way, the button cancels it. */
export function ProbeButton({ actor, subject, second = null, label, disabled = false }: ProbeButtonProps) {
  const { t } = useLingui()
  const isFirstBusy = useSelector(actor, selectIsBusy)
  const isSecondBusy = useSelector(second?.actor, (snapshot) => snapshot?.hasTag('busy') === true)
  if (isFirstBusy || isSecondBusy) {
    const cancel = () => {
      actor.send({ type: 'probe.cancelled' })
      second?.actor.send({ type: 'probe.cancelled' })
    }
    return <Button onClick={cancel}>{t`Cancel`}</Button>
  }
  return (
    <Button
      icon={<ScanSearch size={16} aria-hidden="true" />}
      disabled={disabled}
      onClick={() => {
        actor.send({ type: 'probe.requested', subject })
        second?.actor.send({ type: 'probe.requested', subject: second.subject })
      }}
    >
      {label}
    </Button>
  )
}

/** The progress of a probe, then the tracks and a picture of the source, or the error. */
export function ProbeOutcome({ actor, substream = false }: { actor: ProbingRef; substream?: boolean }) {
  const { t } = useLingui()
  const { seconds, tracks, picture, apiError } = useSelector(actor, selectContext)
  const isBusy = useSelector(actor, selectIsBusy)
  const isProbed = useSelector(actor, selectIsProbed)
  const isPicturing = useSelector(actor, selectIsPicturing)
  const isRefused = useSelector(actor, selectIsRefused)
  const apiErrorWords = useProbeApiError()
  return (
    <div className={styles.outcome} aria-live="polite">
      {substream && (isBusy || isProbed || isRefused) && <strong>{t`Substream`}</strong>}
      {isBusy && (
        <>
          <p>{t`Probing the source. This may take a minute.`}</p>
          <progress
            className={styles.progress}
            max={maxSeconds}
            value={seconds}
            aria-label={t`Probing, ${maxSeconds} seconds at most`}
          />
        </>
      )}
      {isRefused && apiError !== null && (
        <p className={styles.refused}>
          <CircleAlert size={16} aria-hidden="true" />
          <span>{apiErrorWords(apiError)}</span>
        </p>
      )}
      {isProbed && tracks !== null && (
        <div className={styles.found}>
          {isPicturing && <Skeleton className={styles.picture} height="auto" />}
          {picture !== null && (
            <BlobPicture
              picture={picture}
              alt={substream ? t`Picture of the substream` : t`Picture of the source`}
              className={styles.picture}
            />
          )}
          <Tracks tracks={tracks.tracks} />
        </div>
      )}
    </div>
  )
}
