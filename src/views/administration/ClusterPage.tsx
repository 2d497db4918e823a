import { useState } from 'react'
import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Network } from 'lucide-react'
import type { ActorRefFrom } from 'xstate'
import type { ClusterNode } from '../../api/contract/system.ts'
import { formatNumber } from '../../i18n/formats.ts'
import { selectSettings } from '../../machines/app/app.selectors.ts'
import type { clusterMachine } from '../../machines/administration/administration.machines.ts'
import { useApp } from '../app/console.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { Facts, Page, Panel } from '../ui/Page.tsx'
import { Resource } from '../ui/Resource.tsx'
import { Segments } from '../ui/Segments.tsx'
import { StatePanel } from '../ui/State.tsx'
import { type Column, Table } from '../ui/Table.tsx'
import styles from './Administration.module.css'

type Confirmation = { kind: 'drain' | 'remove'; node: ClusterNode } | null

export function ClusterPage({ actor }: { actor: ActorRefFrom<typeof clusterMachine> }) {
  const { t } = useLingui()
  const { value, apiError } = useSelector(actor, ({ context }) => context)
  const isBusy = useSelector(actor, (snapshot) => snapshot.hasTag('performing'))
  const [confirmation, setConfirmation] = useState<Confirmation>(null)
  const [isTable, setTable] = useState(false)
  const drain = (id: string, drained: boolean) =>
    actor.send({ type: 'command.requested', command: { kind: 'drain', id, drained } })
  return (
    <Page
      title={t`Cluster`}
      note={value !== null && <Plural value={value.length} one="# node" other="# nodes" />}
      actions={
        <Segments
          label={t`View`}
          options={[
            { id: 'cards', label: t`Cards` },
            { id: 'table', label: t`Table` },
          ]}
          chosen={isTable ? 'table' : 'cards'}
          onChoose={(id) => setTable(id === 'table')}
        />
      }
    >
      <Resource value={value} apiError={apiError} onRetry={() => actor.send({ type: 'resource.retried' })}>
        {(nodes) =>
          nodes.length === 0 ? (
            <StatePanel icon={<Network size={20} />} title={t`No nodes`}>
              <Trans>This server is not part of a cluster.</Trans>
            </StatePanel>
          ) : (
            <Nodes
              nodes={nodes}
              isTable={isTable}
              isBusy={isBusy}
              onReturn={(id) => drain(id, false)}
              onConfirmationNeeded={setConfirmation}
            />
          )
        }
      </Resource>
      {confirmation?.kind === 'drain' && (
        <ConfirmDialog
          title={t`Drain ${confirmation.node.name || confirmation.node.id}?`}
          confirmLabel={t`Drain`}
          onCancel={() => setConfirmation(null)}
          onConfirm={() => {
            drain(confirmation.node.id, true)
            setConfirmation(null)
          }}
        >
          <Trans>The node takes and records no streams until it is started again. Its recordings are kept.</Trans>
        </ConfirmDialog>
      )}
      {confirmation?.kind === 'remove' && (
        <ConfirmDialog
          title={t`Remove ${confirmation.node.name || confirmation.node.id}?`}
          confirmLabel={t`Remove`}
          onCancel={() => setConfirmation(null)}
          onConfirm={() => {
            actor.send({ type: 'command.requested', command: { kind: 'remove', id: confirmation.node.id } })
            setConfirmation(null)
          }}
        >
          <Trans>
            The node is removed from the cluster. Its streams and archive are no longer available from here.
          </Trans>
        </ConfirmDialog>
      )}
    </Page>
  )
}

interface NodeProps {
  node: ClusterNode
  isBusy: boolean
  onReturn: (id: string) => void
  onConfirmationNeeded: (confirmation: Confirmation) => void
}

function Nodes({
  nodes,
  isTable,
  ...acts
}: Omit<NodeProps, 'node'> & { nodes: readonly ClusterNode[]; isTable: boolean }) {
  const { t } = useLingui()
  if (!isTable) {
    return (
      <div className={styles.cards}>
        {nodes.map((node) => (
          <Panel key={node.id} title={node.name || node.id}>
            <NodeFacts {...node} />
            <Actions node={node} {...acts} />
          </Panel>
        ))}
      </div>
    )
  }
  const columns: readonly Column<ClusterNode>[] = [
    { id: 'name', label: t`Node`, render: ({ name, id }) => name || id },
    { id: 'state', label: t`State`, render: (node) => <NodeState {...node} /> },
    { id: 'address', label: t`Address`, render: ({ address }) => address },
    { id: 'version', label: t`Version`, render: ({ version }) => version },
    { id: 'streams', label: t`Streams`, render: ({ streams }) => formatNumber(streams), isFigure: true },
    { id: 'cpu', label: t`Processor`, render: ({ cpuPercent }) => <Load percent={cpuPercent} /> },
    { id: 'disk', label: t`Disk used`, render: ({ diskUsedPercent }) => <Load percent={diskUsedPercent} /> },
    { id: 'actions', label: '', render: (node) => <Actions node={node} {...acts} /> },
  ]
  return <Table label={t`Cluster`} columns={columns} rows={nodes} keyOf={({ id }) => id} />
}

/** The node that serves the console can't be removed from here. */
function Actions({ node, isBusy, onReturn, onConfirmationNeeded }: NodeProps) {
  const { t } = useLingui()
  const isAnswering = useApp(selectSettings).nodeId === node.id
  return (
    <div className={styles.row}>
      {node.drained ? (
        <Button busy={isBusy} onClick={() => onReturn(node.id)}>{t`Start the node`}</Button>
      ) : (
        <Button disabled={isBusy} onClick={() => onConfirmationNeeded({ kind: 'drain', node })}>{t`Drain`}</Button>
      )}
      {!isAnswering && (
        <Button
          variant="quiet"
          disabled={isBusy}
          onClick={() => onConfirmationNeeded({ kind: 'remove', node })}
        >{t`Remove`}</Button>
      )}
    </div>
  )
}

function NodeState({ available, drained }: ClusterNode) {
  const { t } = useLingui()
  const tone = !available ? 'bad' : drained ? 'warn' : 'good'
  return (
    <span className={styles.state}>
      <i className={styles.mark} data-tone={tone} aria-hidden="true" />
      {!available ? t`Not available` : drained ? t`Drained` : t`Available`}
    </span>
  )
}

/** Percent: fuller disks and busier processors are marked. */
const full = 90

function Load({ percent }: { percent: number }) {
  const share = Math.min(100, Math.max(0, percent))
  return (
    <span className={styles.load}>
      {formatNumber(percent, { maximumFractionDigits: 0 })} %
      <i aria-hidden="true" data-full={percent >= full}>
        <b style={{ width: `${share}%` }} />
      </i>
    </span>
  )
}

function NodeFacts(node: ClusterNode) {
  const { t } = useLingui()
  return (
    <Facts
      facts={[
        { name: t`State`, value: <NodeState {...node} /> },
        { name: t`Address`, value: node.address },
        { name: t`Version`, value: node.version },
        { name: t`Streams`, value: formatNumber(node.streams) },
        { name: t`Processor`, value: <Load percent={node.cpuPercent} /> },
        { name: t`Disk used`, value: <Load percent={node.diskUsedPercent} /> },
      ]}
    />
  )
}
