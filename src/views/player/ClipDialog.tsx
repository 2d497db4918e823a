import { Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { useEffect, useRef } from 'react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { formatNumber } from '../../i18n/formats.ts'
import { refusalText } from '../../i18n/errors.ts'
import { clipProblem, clipSeconds, type clipMachine } from '../../machines/player/clip.machine.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { TextField } from '../ui/Field.tsx'
import styles from './ClipDialog.module.css'

type Snapshot = SnapshotFrom<typeof clipMachine>

const selectClip = ({ context }: Snapshot) => context
const selectIsDownloading = (snapshot: Snapshot) => snapshot.matches('downloading')
const selectIsSaved = (snapshot: Snapshot) => snapshot.matches('saved')

/** Picks a stretch of the archive and downloads it; what is too long is said before (issue 3, Clips). */
export function ClipDialog({ actor, onClose }: { actor: ActorRefFrom<typeof clipMachine>; onClose: () => void }) {
  const { t, i18n } = useLingui()
  const clip = useSelector(actor, selectClip)
  const isDownloading = useSelector(actor, selectIsDownloading)
  const isSaved = useSelector(actor, selectIsSaved)
  const cancel = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isDownloading) cancel.current?.focus()
  }, [isDownloading])
  const problem = clipProblem(clip)
  const seconds = clipSeconds(clip)
  const longest = useDuration(clip.maxSeconds)
  const length = useDuration(seconds ?? 0)
  const { zone } = clip
  const megabytes = formatNumber(clip.bytes / 1_000_000, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  const refusal = clip.refusal === null ? null : refusalText(clip.refusal.code)
  return (
    <Dialog
      title={t`Download video`}
      onClose={onClose}
      actions={
        <>
          <Button ref={cancel} onClick={() => (isDownloading ? actor.send({ type: 'clip.cancelled' }) : onClose())}>{t`Cancel`}</Button>
          <Button variant="primary" busy={isDownloading} disabled={problem !== null} onClick={() => actor.send({ type: 'clip.confirmed' })}>{t`Save video`}</Button>
        </>
      }
    >
      <div className={styles.ends}>
        <TextField
          label={t`From`}
          inputMode="numeric"
          spellCheck={false}
          value={clip.from}
          disabled={isDownloading}
          onChange={(from) => actor.send({ type: 'clip.edited', from })}
        />
        <TextField
          label={t`To`}
          inputMode="numeric"
          spellCheck={false}
          value={clip.to}
          disabled={isDownloading}
          error={problem === 'backwards' ? t`The end has to come after the start` : problem === 'unreadable' ? t`Write both times like 2026-11-21 14:05:03` : undefined}
          onChange={(to) => actor.send({ type: 'clip.edited', to })}
        />
      </div>
      <p className={styles.note} role={problem === 'tooLong' ? 'alert' : undefined} data-problem={problem === 'tooLong' || undefined}>
        {problem === 'tooLong' ? <Trans>The server gives at most {longest} at once; this is {length}. Shorten it, or save it in parts.</Trans> : <Trans>Length {length}, at most {longest}. Times are of the zone {zone}.</Trans>}
      </p>
      <p className={styles.note} role="status">
        {isDownloading && <Trans>{megabytes} MB so far…</Trans>}
        {isSaved && <Trans>Saved, {megabytes} MB.</Trans>}
        {refusal !== null && (
          <span className={styles.refusal}>
            {i18n._(refusal.message)} {refusal.code}
          </span>
        )}
      </p>
    </Dialog>
  )
}

function useDuration(seconds: number): string {
  const { t } = useLingui()
  const whole = Math.max(0, Math.round(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const parts = [hours > 0 ? t`${hours} h` : '', minutes > 0 ? t`${minutes} min` : '', rest > 0 ? t`${rest} s` : '']
  return parts.filter(Boolean).join(' ') || t`${0} s`
}
