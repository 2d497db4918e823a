import { Plural, useLingui } from '@lingui/react/macro'
import type { PlacedStream } from '../../api/contract/cluster.ts'
import type { ClusterNode } from '../../api/contract/system.ts'
import { formatNumber } from '../../i18n/formats.ts'
import { streamsToHandOver } from '../../machines/administration/placement.ts'
import { selectSettings } from '../../machines/app/app.selectors.ts'
import { useApp } from '../app/console.ts'
import { Button } from '../ui/Button.tsx'
import { Facts, Panel } from '../ui/Page.tsx'
import { type Column, Table } from '../ui/Table.tsx'
import styles from './Administration.module.css'
import { ClockOffset, LastContact, Load, WaitingUpload } from './ClusterFigures.tsx'
import type { Confirmation } from './ClusterConfirmation.tsx'
import { sharesDatabase, nodeName } from './cluster-words.ts'

interface NodeActions {
  isBusy: boolean
  onReturn: (id: string) => void
  onConfirmationNeeded: (confirmation: Confirmation) => void
}

interface ClusterNodesProps extends NodeActions {
  nodes: readonly ClusterNode[]
  streams: readonly PlacedStream[] | null
  isTable: boolean
}

export function ClusterNodes({ nodes, streams, isTable, ...actions }: ClusterNodesProps) {
  const { t } = useLingui()
  const address: Column<ClusterNode> = { id: 'address', label: t`Address`, render: (node) => <Address {...node} /> }
  const facts: readonly Column<ClusterNode>[] = [
    {
      id: 'state',
      label: t`State`,
      render: (node) => <NodeState node={node} left={streamsToHandOver(node, streams)} />,
    },
    ...(isTable ? [] : [address]),
    { id: 'version', label: t`Version`, render: ({ version }) => version },
    { id: 'streams', label: t`Streams`, render: (node) => formatNumber(node.streams), isFigure: true },
    { id: 'cpu', label: t`Processor`, render: ({ cpuPercent }) => <Load percent={cpuPercent} /> },
    { id: 'disk', label: t`Disk used`, render: ({ diskUsedPercent }) => <Load percent={diskUsedPercent} /> },
    ...(nodes.some(sharesDatabase)
      ? [
          { id: 'upload', label: t`Waiting for upload`, render: (node: ClusterNode) => <WaitingUpload {...node} /> },
          { id: 'clock', label: t`Clock offset`, render: (node: ClusterNode) => <ClockOffset {...node} /> },
        ]
      : []),
  ]
  if (isTable) {
    const columns: readonly Column<ClusterNode>[] = [
      { id: 'name', label: t`Node`, render: (node) => <NameAndAddress {...node} /> },
      ...facts,
      { id: 'actions', label: t`Actions`, render: (node) => <Actions node={node} {...actions} /> },
    ]
    return <Table label={t`Cluster`} columns={columns} rows={nodes} keyOf={({ id }) => id} />
  }
  return (
    <div className={styles.cards}>
      {nodes.map((node) => (
        <Panel key={node.id} title={nodeName(node)}>
          <Facts facts={facts.map(({ label, render }) => ({ name: label, value: render(node) }))} />
          <Actions node={node} {...actions} />
        </Panel>
      ))}
    </div>
  )
}

function Address({ address }: ClusterNode) {
  return <span className={styles.stack}>{address}</span>
}

function NameAndAddress(node: ClusterNode) {
  return (
    <span className={`${styles.stack} ${styles.whole}`}>
      {nodeName(node)}
      <span className={styles.aside}>{node.address}</span>
    </span>
  )
}

/**
 * The node that serves this console can't be removed here. Where servers share a database, only an unavailable one can.
 */
function Actions({ node, isBusy, onReturn, onConfirmationNeeded }: NodeActions & { node: ClusterNode }) {
  const { t } = useLingui()
  const isThisNode = useApp(selectSettings).nodeId === node.id
  const isRemovable = !isThisNode && !(sharesDatabase(node) && node.available)
  return (
    <div className={styles.row}>
      {node.drained ? (
        <Button busy={isBusy} onClick={() => onReturn(node.id)}>{t`Start the node`}</Button>
      ) : (
        <Button disabled={isBusy} onClick={() => onConfirmationNeeded({ kind: 'drain', node })}>{t`Drain`}</Button>
      )}
      {isRemovable && (
        <Button
          variant="quiet"
          disabled={isBusy}
          onClick={() => onConfirmationNeeded({ kind: 'remove', node })}
        >{t`Remove`}</Button>
      )}
    </div>
  )
}

function NodeState({ node, left }: { node: ClusterNode; left: number }) {
  const { available, drained, lost } = node
  const tone = available ? (drained ? 'warn' : 'good') : lost === false ? 'off' : 'bad'
  return (
    <span className={styles.stack}>
      <span className={styles.state}>
        <i className={styles.mark} data-tone={tone} aria-hidden="true" />
        <StateWords {...node} isHandingOver={left > 0} />
      </span>
      {left > 0 && (
        <span className={styles.aside}>
          <Plural value={left} one="# stream to hand over" other="# streams to hand over" />
        </span>
      )}
      {!available && <LastContact {...node} />}
    </span>
  )
}

/** Where servers share a database, an unavailable node is `lost` if it stopped responding; otherwise it was stopped. */
function StateWords({ available, drained, lost, isHandingOver }: ClusterNode & { isHandingOver: boolean }) {
  const { t } = useLingui()
  if (!available) return lost === undefined ? t`Not available` : lost ? t`Not responding` : t`Stopped`
  if (!drained) return t`Available`
  return isHandingOver ? t`Draining` : t`Drained`
}
