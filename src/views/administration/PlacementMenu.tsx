import { useLingui } from '@lingui/react/macro'
import { ArrowRightLeft, EllipsisVertical } from 'lucide-react'
import type { PlacedStream } from '../../api/contract/cluster.ts'
import type { ClusterNode } from '../../api/contract/system.ts'
import type { ClusterCommand } from '../../machines/administration/administration.machines.ts'
import { takingNodes } from '../../machines/administration/placement.ts'
import { Menu, MenuChoice, MenuItem, MenuLine } from '../ui/Menu.tsx'
import { nodeName } from './cluster-words.ts'

/** The choice of no node; no node has this name. */
const noNode = '*'

interface PlacementMenuProps {
  stream: PlacedStream
  nodes: readonly ClusterNode[]
  isBusy: boolean
  onRequest: (command: ClusterCommand) => void
}

/** Moves a stream to another node, or pins it to one. */
export function PlacementMenu({ stream, nodes, isBusy, onRequest }: PlacementMenuProps) {
  const { t } = useLingui()
  const { streamId, nodeId, pinnedNodeId } = stream
  const name = stream.name || streamId
  const targets = takingNodes(nodes).filter(({ id }) => id !== nodeId)
  return (
    <Menu label={t`Move or pin ${name}`} trigger={<EllipsisVertical size={16} aria-hidden="true" />}>
      {targets.map((node) => {
        const target = nodeName(node)
        const text = t`Move to ${target}`
        return (
          <MenuItem
            key={node.id}
            text={text}
            icon={<ArrowRightLeft size={16} />}
            disabled={isBusy}
            onAction={() => onRequest({ kind: 'move', streamId, nodeId: node.id })}
          >
            {text}
          </MenuItem>
        )
      })}
      {targets.length > 0 && <MenuLine />}
      <MenuChoice
        title={t`Pin to a node`}
        options={[
          { id: noNode, label: t`Not pinned` },
          ...nodes.map((node) => ({ id: node.id, label: nodeName(node) })),
        ]}
        chosen={pinnedNodeId || noNode}
        onChoose={(id) => onRequest({ kind: 'pin', streamId, nodeId: id === noNode ? '' : id })}
      />
    </Menu>
  )
}
