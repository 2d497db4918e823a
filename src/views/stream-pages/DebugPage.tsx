import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import type { ActorRefFrom } from 'xstate'
import { selectContext } from '../../machines/selectors.ts'
import type { Stream } from '../../api/contract/stream.ts'
import type { streamDebugMachine } from '../../machines/stream-pages/debug.machine.ts'
import { shownStatus } from '../../machines/stream/stream.selectors.ts'
import { StatusMark } from '../streams/StatusMark.tsx'
import { Page, Panel } from '../ui/Page.tsx'
import { LogTail } from '../log-tail/LogTail.tsx'
import { ProbeButton, ProbeOutcome } from './Probing.tsx'
import { useReason } from './reasons.ts'
import styles from './DebugPage.module.css'

export function DebugPage({ actor, stream }: { actor: ActorRefFrom<typeof streamDebugMachine>; stream: Stream }) {
  const { t } = useLingui()
  const reasonOf = useReason()
  const { uid, tail, probing } = useSelector(actor, selectContext)
  return (
    <Page title={t`Stream debug`} note={<StatusMark status={shownStatus(stream)} />}>
      {stream.failureReason !== '' && <p className={styles.reason}>{reasonOf(stream.failureReason)}</p>}
      <Panel
        title={t`Source`}
        actions={<ProbeButton actor={probing} subject={{ streamId: uid }} label={t`Probe now`} />}
      >
        <p className={styles.source}>{stream.streamSource}</p>
        <ProbeOutcome actor={probing} />
      </Panel>
      <LogTail actor={tail} name={stream.name || uid} />
    </Page>
  )
}
