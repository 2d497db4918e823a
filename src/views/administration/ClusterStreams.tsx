import { useState } from 'react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import type { PlacedStream } from '../../api/contract/cluster.ts'
import type { ClusterNode } from '../../api/contract/system.ts'
import { formatMoment } from '../../i18n/formats.ts'
import type { ClusterCommand } from '../../machines/administration/administration.machines.ts'
import { streamsByNode } from '../../machines/administration/placement.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { shownStatus } from '../../machines/stream/stream.selectors.ts'
import { StatusMark } from '../streams/StatusMark.tsx'
import { Button } from '../ui/Button.tsx'
import { Panel } from '../ui/Page.tsx'
import { type Column, Table } from '../ui/Table.tsx'
import styles from './Administration.module.css'
import { ClusterPicture } from './ClusterPicture.tsx'
import { nodeName, usePlacementReason } from './cluster-words.ts'
import { PlacementMenu } from './PlacementMenu.tsx'

interface ClusterStreamsProps {
  nodes: readonly ClusterNode[]
  streams: readonly PlacedStream[]
  isBusy: boolean
  onRequest: (command: ClusterCommand) => void
}

const pageSize = 50

/** Which node records each stream: a picture, and a table of the streams of the chosen node, or of all. */
export function ClusterStreams({ nodes, streams, isBusy, onRequest }: ClusterStreamsProps) {
  const { t } = useLingui()
  const [chosen, setChosen] = useState<string | null>(null)
  const [limit, setLimit] = useState(pageSize)
  const groups = streamsByNode(nodes, streams)
  const group = groups.find(({ nodeId }) => nodeId === chosen)
  const rows = group?.streams ?? groups.flatMap((each) => each.streams)
  const nameOf = (id: string) => {
    const node = nodes.find((each) => each.id === id)
    return node === undefined ? id : nodeName(node)
  }
  const name = group === undefined ? '' : nameOf(group.nodeId)
  const title =
    group === undefined ? t`Streams of all nodes` : name === '' ? t`Streams without a node` : t`Streams of ${name}`
  const choose = (nodeId: string | null) => {
    setChosen(nodeId)
    setLimit(pageSize)
  }
  return (
    <>
      <ClusterPicture groups={groups} nameOf={nameOf} chosen={group?.nodeId ?? null} onChoose={choose} />
      <Panel
        title={title}
        actions={
          <span className={styles.aside}>
            <Plural value={rows.length} one="# stream" other="# streams" />
          </span>
        }
      >
        {rows.length === 0 ? (
          <p className={styles.quiet}>{t`No streams.`}</p>
        ) : (
          <StreamTable
            label={title}
            rows={rows.slice(0, limit)}
            nodes={nodes}
            nameOf={nameOf}
            isBusy={isBusy}
            onRequest={onRequest}
          />
        )}
        {rows.length > limit && (
          <div className={styles.row}>
            <Button onClick={() => setLimit(limit + pageSize)}>{t`Show more`}</Button>
          </div>
        )}
      </Panel>
    </>
  )
}

interface StreamTableProps extends Omit<ClusterStreamsProps, 'streams'> {
  label: string
  rows: readonly PlacedStream[]
  nameOf: (id: string) => string
}

function StreamTable({ label, rows, nodes, nameOf, isBusy, onRequest }: StreamTableProps) {
  const { t } = useLingui()
  const reasonOf = usePlacementReason()
  const columns: readonly Column<PlacedStream>[] = [
    {
      id: 'name',
      label: t`Stream`,
      render: ({ streamId, name }) => <Link href={pathTo('streamInfo', { uid: streamId })}>{name || streamId}</Link>,
    },
    { id: 'status', label: t`Status`, render: (stream) => <StatusMark status={shownStatus(stream)} /> },
    {
      id: 'node',
      label: t`Node`,
      render: ({ nodeId, nextNodeId, pinnedNodeId }) => (
        <span className={styles.stack}>
          {nodeId === '' ? t`none` : nameOf(nodeId)}
          {nextNodeId !== '' && (
            <span className={styles.aside}>
              <Trans>moving to {nameOf(nextNodeId)}</Trans>
            </span>
          )}
          {pinnedNodeId !== '' && (
            <span className={styles.aside}>
              {pinnedNodeId === nodeId ? t`pinned` : t`pinned to ${nameOf(pinnedNodeId)}`}
            </span>
          )}
        </span>
      ),
    },
    { id: 'since', label: t`Since`, render: ({ since }) => (since === undefined ? '–' : formatMoment(since)) },
    { id: 'reason', label: t`Reason`, render: ({ reason }) => reasonOf(reason) },
    {
      id: 'actions',
      label: t`Actions`,
      render: (stream) => <PlacementMenu stream={stream} nodes={nodes} isBusy={isBusy} onRequest={onRequest} />,
    },
  ]
  return <Table label={label} columns={columns} rows={rows} keyOf={({ streamId }) => streamId} />
}
