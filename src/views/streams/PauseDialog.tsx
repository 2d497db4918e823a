import { createContext, type ReactNode, use, useCallback, useState } from 'react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { Stream } from '../../api/contract/stream.ts'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { displayName } from './stream-words.tsx'

/** Whether pausing it ends a recording, so that one is asked before. */
export const isRecorded = ({ archive }: Stream): boolean => archive.isEnable

interface PauseDialogProps {
  streams: readonly Stream[]
  onConfirm: () => void
  onCancel: () => void
}

/** Warns before streams are paused that this ends their recordings too. */
export function PauseDialog({ streams, onConfirm, onCancel }: PauseDialogProps) {
  const { t } = useLingui()
  const [first] = streams
  const isOne = streams.length === 1
  const name = first === undefined ? '' : displayName(first)
  return (
    <ConfirmDialog
      title={isOne ? t`Pause “${name}”?` : t`Pause ${streams.length} streams?`}
      confirmLabel={t`Pause`}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <p>
        {isOne ? (
          <Trans>Recording stops, and there is no live picture, until the stream is resumed.</Trans>
        ) : (
          <Trans>Recording stops, and there are no live pictures, until the streams are resumed.</Trans>
        )}
      </p>
      <p>
        <Trans>What was recorded before stays.</Trans>
      </p>
    </ConfirmDialog>
  )
}

const Asking = createContext<(stream: Stream) => void>(() => undefined)

/** Pauses a stream of the list below `PauseAsking`, after asking where it is recorded. */
export const useAskPause = () => use(Asking)

/** Beside the list: what is pressed and typed in a dialog inside of it would be the list's as well. */
export function PauseAsking({ onPause, children }: { onPause: (uid: string) => void; children: ReactNode }) {
  const [asked, setAsked] = useState<Stream | null>(null)
  const ask = useCallback((stream: Stream) => (isRecorded(stream) ? setAsked(stream) : onPause(stream.uid)), [onPause])
  return (
    <Asking value={ask}>
      {children}
      {asked !== null && (
        <PauseDialog
          streams={[asked]}
          onConfirm={() => {
            setAsked(null)
            onPause(asked.uid)
          }}
          onCancel={() => setAsked(null)}
        />
      )}
    </Asking>
  )
}
