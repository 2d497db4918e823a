import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { formatBytes } from '../../i18n/bytes.ts'
import { clipParts, clipProblem, clipSeconds, type clipMachine } from '../../machines/player/clip.machine.ts'
import { offsetsOfRepeated } from '../../machines/player/local-text.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { TextField } from '../ui/Field.tsx'
import { useDuration } from '../ui/use-duration.ts'
import styles from './ClipDialog.module.css'

const selectClip = ({ context }: SnapshotFrom<typeof clipMachine>) => context

/** What of a clip is recorded; `bytes` is an estimate, null where there is none. */
export interface ClipFacts {
  readonly gaps: number
  readonly gapSeconds: number
  readonly recordedSeconds: number
  readonly bytes: number | null
}

interface ClipDialogProps {
  actor: ActorRefFrom<typeof clipMachine>
  onClose: () => void
  facts?: ClipFacts | null
}

/** Says before what the clip will be: how long, in how many parts, with which gaps. */
export function ClipDialog({ actor, onClose, facts = null }: ClipDialogProps) {
  const { t } = useLingui()
  const clip = useSelector(actor, selectClip)
  const problem = clipProblem(clip)
  const seconds = clipSeconds(clip)
  const { from, to, zone } = clip
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
        <TextField
          label={t`From`}
          inputMode="numeric"
          spellCheck={false}
          value={from}
          help={useTwice(from, zone)}
          onChange={(from) => actor.send({ type: 'clip.edited', from })}
        />
        <TextField
          label={t`To`}
          inputMode="numeric"
          spellCheck={false}
          value={to}
          help={useTwice(to, zone)}
          error={
            problem === 'backwards'
              ? t`The end has to come after the start`
              : problem === 'unreadable'
                ? t`Write both times like 2026-11-21 14:05:03`
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
        {problem === null && facts !== null && <Facts {...facts} />}
        <p>
          <Trans>Times in {zone}</Trans>
        </p>
      </div>
    </Dialog>
  )
}

/** Says of a time that the clock shows twice how to write which one is meant. */
function useTwice(text: string, zone: string): string | undefined {
  const { t } = useLingui()
  const [first, second] = offsetsOfRepeated(text, zone)
  return first === undefined || second === undefined
    ? undefined
    : t`This time comes twice that day: write ${first} or ${second} after it.`
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
  const longest = useDuration(maxSeconds)
  if (isTooLong)
    return (
      <p className={styles.problem}>
        <Trans>
          This is {length}, too many parts of {longest} each. Shorten it.
        </Trans>
      </p>
    )
  if (parts < 2)
    return (
      <p>
        <Trans>Length {length}.</Trans>
      </p>
    )
  return (
    <p>
      <Trans>Length {length}.</Trans>{' '}
      <strong className={styles.parts}>
        <Plural
          value={parts}
          one={`The server gives at most ${longest} at once, so it will be saved in # part.`}
          other={`The server gives at most ${longest} at once, so it will be saved in # parts.`}
        />
      </strong>
    </p>
  )
}

function Facts({ gaps, gapSeconds, recordedSeconds, bytes }: ClipFacts) {
  const recorded = useDuration(recordedSeconds)
  const missing = useDuration(gapSeconds)
  const size = formatBytes(bytes ?? 0)
  if (recordedSeconds === 0)
    return (
      <p className={styles.problem}>
        <Trans>Nothing of it is recorded.</Trans>
      </p>
    )
  return (
    <p>
      {gaps === 0 ? (
        <Trans>Recorded without a gap.</Trans>
      ) : (
        <Plural
          value={gaps}
          one={`${recorded} of it are recorded; # gap of ${missing}.`}
          other={`${recorded} of it are recorded; # gaps, ${missing} in all.`}
        />
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
