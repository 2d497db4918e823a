import { useState } from 'react'
import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Network } from 'lucide-react'
import type { ActorRefFrom } from 'xstate'
import type { ClusterNode } from '../../api/contract/system.ts'
import { formatNumber } from '../../i18n/formats.ts'
import type { clusterMachine } from '../../machines/administration/administration.machines.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { Facts, Page, Panel } from '../ui/Page.tsx'
import { Resource } from '../ui/Resource.tsx'
import { StatePanel } from '../ui/State.tsx'
import styles from './Administration.module.css'

type Asked = { kind: 'drain' | 'remove'; node: ClusterNode } | null

export function ClusterPage({ actor }: { actor: ActorRefFrom<typeof clusterMachine> }) {
  const { t } = useLingui()
  const { value, refusal } = useSelector(actor, ({ context }) => context)
  const isBusy = useSelector(actor, (snapshot) => snapshot.hasTag('performing'))
  const [asked, setAsked] = useState<Asked>(null)
  const drain = (id: string, drained: boolean) => actor.send({ type: 'command.requested', command: { kind: 'drain', id, drained } })
  return (
    <Page title={t`Cluster`} note={value !== null && <Plural value={value.length} one="# node" other="# nodes" />}>
      <Resource value={value} refusal={refusal} onRetry={() => actor.send({ type: 'resource.retried' })}>
        {(nodes) =>
          nodes.length === 0 ? (
            <StatePanel icon={<Network size={20} />} title={t`No nodes`}>
              <Trans>This server works alone.</Trans>
            </StatePanel>
          ) : (
            <div className={styles.cards}>
              {nodes.map((node) => (
                <Panel key={node.id} title={node.name || node.id}>
                  <NodeFacts {...node} />
                  <div className={styles.row}>
                    {node.drained ? (
                      <Button busy={isBusy} onClick={() => drain(node.id, false)}>{t`Start the node`}</Button>
                    ) : (
                      <Button onClick={() => setAsked({ kind: 'drain', node })}>{t`Drain`}</Button>
                    )}
                    <Button variant="quiet" onClick={() => setAsked({ kind: 'remove', node })}>{t`Remove`}</Button>
                  </div>
                </Panel>
              ))}
            </div>
          )
        }
      </Resource>
      {asked?.kind === 'drain' && (
        <ConfirmDialog
          title={t`Drain ${asked.node.name || asked.node.id}?`}
          confirmLabel={t`Drain`}
          onCancel={() => setAsked(null)}
          onConfirm={() => {
            drain(asked.node.id, true)
            setAsked(null)
          }}
        >
          <Trans>The node stops taking and recording streams until it is started again. What it has recorded stays.</Trans>
        </ConfirmDialog>
      )}
      {asked?.kind === 'remove' && (
        <ConfirmDialog
          title={t`Remove ${asked.node.name || asked.node.id}?`}
          confirmLabel={t`Remove`}
          onCancel={() => setAsked(null)}
          onConfirm={() => {
            actor.send({ type: 'command.requested', command: { kind: 'remove', id: asked.node.id } })
            setAsked(null)
          }}
        >
          <Trans>The cluster forgets the node. Its streams and its archive can't be reached from here any more.</Trans>
        </ConfirmDialog>
      )}
    </Page>
  )
}

function NodeFacts({ address, available, drained, version, streams, cpuPercent, diskUsedPercent }: ClusterNode) {
  const { t } = useLingui()
  const tone = !available ? 'bad' : drained ? 'warn' : 'good'
  const words = !available ? t`Not available` : drained ? t`Drained` : t`Available`
  const percent = (value: number) => `${formatNumber(value, { maximumFractionDigits: 0 })} %`
  return (
    <Facts
      facts={[
        { name: t`State`, value: <span className={styles.state}><i className={styles.mark} data-tone={tone} aria-hidden="true" />{words}</span> },
        { name: t`Address`, value: address },
        { name: t`Version`, value: version },
        { name: t`Streams`, value: formatNumber(streams) },
        { name: t`Processor`, value: percent(cpuPercent) },
        { name: t`Disk used`, value: percent(diskUsedPercent) },
      ]}
    />
  )
}
