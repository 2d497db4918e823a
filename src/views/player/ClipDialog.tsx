import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import type { ActorRefFrom } from 'xstate'
import { formatBytes } from '../../i18n/bytes.ts'
import { clipCutAt, clipParts, clipProblem, clipSeconds, type clipMachine } from '../../machines/player/clip.machine.ts'
import { bytesOf, type RangeFacts } from '../../machines/player/range-facts.ts'
import { localText, offsetsOfRepeated } from '../../machines/player/local-text.ts'
import { selectContext, selectIsBusy } from '../../machines/selectors.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { MomentField } from '../ui/MomentField.tsx'
import { useDuration } from '../ui/use-duration.ts'
import { CutEnd } from './CutEnd.tsx'
import styles from './ClipDialog.module.css'

interface ClipDialogProps {
  actor: ActorRefFrom<typeof clipMachine>
  /** Bits per second; null if unknown. */
  bitrate: number | null
  onClose: () => void
}

/** Shows what the clip will be: its duration, its parts and its gaps. */
export function ClipDialog({ actor, bitrate, onClose }: ClipDialogProps) {
  const { t } = useLingui()
  const clip = useSelector(actor, selectContext)
  const problem = clipProblem(clip)
  const seconds = clipSeconds(clip)
  const { from, to, zone, facts } = clip
  const isMeasuring = useSelector(actor, selectIsBusy)
  const cutAt = clipCutAt(clip)
  return (
    <Dialog
      title={t`Download video`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button
            variant="primary"
            disabled={problem !== null}
            onClick={() => actor.send({ type: 'clip.confirmed' })}
          >{t`Save video`}</Button>
        </>
      }
    >
      <div className={styles.ends}>
        <MomentField
          label={t`From`}
          value={from}
          help={useRepeatedTimeHelp(from, zone)}
          onChange={(from) => actor.send({ type: 'clip.edited', from })}
        />
        <MomentField
          label={t`To`}
          value={to}
          help={useRepeatedTimeHelp(to, zone)}
          error={
            problem === 'backwards'
              ? t`The end must be after the start`
              : problem === 'future'
                ? t`The start is in the future`
                : problem === 'unreadable'
                  ? t`Enter both times like 2026-11-21 14:05:03`
                  : undefined
          }
          onChange={(to) => actor.send({ type: 'clip.edited', to })}
        />
      </div>
      <div className={styles.notes} role="status">
        {seconds !== null && seconds > 0 && (
          <Length
            seconds={seconds}
            maxSeconds={clip.maxSeconds}
            parts={clipParts(clip)}
            isTooLong={problem === 'tooLong'}
          />
        )}
        {cutAt !== null && <CutEnd at={localText(cutAt, zone)} />}
        {isMeasuring && (
          <p>
            <Trans>Loading recordings…</Trans>
          </p>
        )}
        {facts !== null && seconds !== null && <Recorded facts={facts} seconds={seconds} bitrate={bitrate} />}
        <p>
          <Trans>Times in {zone}</Trans>
        </p>
      </div>
    </Dialog>
  )
}

/** Explains how to enter a time that occurs twice, when clocks go back. */
function useRepeatedTimeHelp(text: string, zone: string): string | undefined {
  const { t } = useLingui()
  const [first, second] = offsetsOfRepeated(text, zone)
  return first === undefined || second === undefined
    ? undefined
    : t`This time occurs twice on that day: add ${first} or ${second} after it.`
}

function Length({
  seconds,
  maxSeconds,
  parts,
  isTooLong,
}: {
  seconds: number
  maxSeconds: number
  parts: number
  isTooLong: boolean
}) {
  const length = useDuration(seconds)
  const maxLength = useDuration(maxSeconds)
  if (isTooLong)
    return (
      <p className={styles.problem}>
        <Trans>
          The range is {length} long: too many parts of {maxLength} each. Shorten it.
        </Trans>
      </p>
    )
  if (parts < 2)
    return (
      <p>
        <Trans>Duration: {length}.</Trans>
      </p>
    )
  return (
    <p>
      <Trans>Duration: {length}.</Trans>{' '}
      <strong className={styles.parts}>
        <Plural
          value={parts}
          one={`One download can be at most ${maxLength} long, so the video is saved in # part.`}
          other={`One download can be at most ${maxLength} long, so the video is saved in # parts.`}
        />
      </strong>
    </p>
  )
}

function Recorded({ facts, seconds, bitrate }: { facts: RangeFacts; seconds: number; bitrate: number | null }) {
  const { gaps } = facts
  const recorded = useDuration(facts.recordedMs / 1000)
  const length = useDuration(seconds)
  const bytes = bytesOf(facts, bitrate)
  const size = formatBytes(bytes ?? 0)
  if (facts.recordedMs === 0)
    return (
      <p className={styles.problem}>
        <Trans>There are no recordings in this period.</Trans>
      </p>
    )
  return (
    <p>
      {gaps === 0 ? (
        <Trans>Recorded without gaps.</Trans>
      ) : (
        <strong className={styles.parts}>
          <Plural
            value={gaps}
            one={`Recorded: ${recorded} of ${length}, # gap. The video leaves it out.`}
            other={`Recorded: ${recorded} of ${length}, # gaps. The video leaves them out.`}
          />
        </strong>
      )}
      {bytes !== null && (
        <>
          {' '}
          <Trans>About {size}.</Trans>
        </>
      )}
    </p>
  )
}
