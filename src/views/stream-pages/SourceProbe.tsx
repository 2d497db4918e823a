import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { CircleAlert } from 'lucide-react'
import type { SnapshotFrom } from 'xstate'
import type { Track } from '../../api/contract/stream.ts'
import { isAsLarge } from '../../machines/stream-pages/picture-size.ts'
import type { ProbeSubject, probingMachine } from '../../machines/stream-pages/probing.machine.ts'
import { fullSources } from '../../machines/stream-pages/source-credentials.ts'
import type { StreamValues } from '../../machines/stream-pages/stream-values.ts'
import { ProbeButton, ProbeOutcome, type ProbingRef } from './Probing.tsx'
import styles from './Probing.module.css'

export interface Probes {
  probing: ProbingRef
  substreamProbing: ProbingRef
}

const selectTracks = ({ context }: SnapshotFrom<typeof probingMachine>) => context.tracks?.tracks

/** Discards the result of a probe once the address or the credentials change. */
export function forgetOutdated({ probing, substreamProbing }: Probes, edited: Partial<StreamValues>): void {
  const hasCredentials = edited.login !== undefined || edited.password !== undefined
  if (hasCredentials || edited.streamSource !== undefined) probing.send({ type: 'probe.outdated' })
  if (hasCredentials || edited.substreamSource !== undefined) substreamProbing.send({ type: 'probe.outdated' })
}

interface SourceProbeProps extends Probes {
  values: StreamValues
  /** The main source, as it is sent to the server. */
  subject: ProbeSubject
  /** The tracks of the main stream, as far as they are known without a probe. */
  known?: readonly Track[]
}

const nothing: readonly Track[] = []

/** Probes the source and, if there is one, the substream. */
export function SourceProbe({ probing, substreamProbing, values, subject, known = nothing }: SourceProbeProps) {
  const { t } = useLingui()
  const { streamSource, substreamSource } = fullSources(values)
  const main = useSelector(probing, selectTracks) ?? known
  const substream = useSelector(substreamProbing, selectTracks) ?? nothing
  const { streamId } = subject
  const second = {
    actor: substreamProbing,
    subject: { ...(streamId === undefined ? {} : { streamId }), url: substreamSource },
  }
  const hasSubstream = substreamSource !== ''
  return (
    <>
      <div>
        <ProbeButton
          actor={probing}
          subject={subject}
          second={hasSubstream ? second : null}
          label={t`Probe`}
          disabled={streamSource === ''}
        />
      </div>
      <ProbeOutcome actor={probing} />
      {hasSubstream && <ProbeOutcome actor={substreamProbing} substream />}
      {hasSubstream && isAsLarge(substream, main) && (
        <p className={styles.hint} role="status">
          <CircleAlert size={16} aria-hidden="true" />
          <span>
            <Trans>
              The substream's picture is as large as the main stream's, so it saves nothing. Set a smaller one in the
              camera.
            </Trans>
          </span>
        </p>
      )}
    </>
  )
}
