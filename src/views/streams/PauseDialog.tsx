import { createContext, type ReactNode, use, useCallback, useState } from 'react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { Stream } from '../../api/contract/stream.ts'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { askedStreams, type StreamsQuestionProps } from './asked-streams.ts'

/** Whether pausing the stream stops its recording, so that the user is asked first. */
export const isRecorded = ({ archive }: Stream): boolean => archive.isEnable

/** Warns that pausing streams also stops their recording. */
export function PauseDialog({ streams, onConfirm, onCancel }: StreamsQuestionProps) {
  const { t } = useLingui()
  const { isOne, name, count } = askedStreams(streams)
  return (
    <ConfirmDialog
      title={isOne ? t`Pause “${name}”?` : t`Pause ${count} streams?`}
      confirmLabel={t`Pause`}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <p>
        {isOne ? (
          <Trans>Recording and live video stop until the stream is resumed.</Trans>
        ) : (
          <Trans>Recording and live video stop until the streams are resumed.</Trans>
        )}
      </p>
      <p>
        <Trans>Existing recordings are kept.</Trans>
      </p>
    </ConfirmDialog>
  )
}

const PauseRequest = createContext<(stream: Stream) => void>(() => undefined)

/** Returns the function of `PauseConfirmation` that pauses a stream, after a question if the stream is recorded. */
export const usePause = () => use(PauseRequest)

/** Wraps the list, so that its dialog is outside: React passes a dialog's events to the handlers of its ancestors. */
export function PauseConfirmation({ onPause, children }: { onPause: (uid: string) => void; children: ReactNode }) {
  const [toPause, setToPause] = useState<Stream | null>(null)
  const request = useCallback(
    (stream: Stream) => (isRecorded(stream) ? setToPause(stream) : onPause(stream.uid)),
    [onPause],
  )
  return (
    <PauseRequest value={request}>
      {children}
      {toPause !== null && (
        <PauseDialog
          streams={[toPause]}
          onConfirm={() => {
            setToPause(null)
            onPause(toPause.uid)
          }}
          onCancel={() => setToPause(null)}
        />
      )}
    </PauseRequest>
  )
}
