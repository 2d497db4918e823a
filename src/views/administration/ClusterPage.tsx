import { useState } from 'react'
import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Network } from 'lucide-react'
import type { ActorRefFrom } from 'xstate'
import type { ClusterCommand, clusterMachine } from '../../machines/administration/administration.machines.ts'
import { Page } from '../ui/Page.tsx'
import { Resource } from '../ui/Resource.tsx'
import { Segments } from '../ui/Segments.tsx'
import { StatePanel } from '../ui/State.tsx'
import { type Confirmation, ClusterConfirmation } from './ClusterConfirmation.tsx'
import { ClusterNodes } from './ClusterNodes.tsx'
import { ClusterStreams } from './ClusterStreams.tsx'

export function ClusterPage({ actor }: { actor: ActorRefFrom<typeof clusterMachine> }) {
  const { t } = useLingui()
  const { value, apiError } = useSelector(actor, ({ context }) => context)
  const isBusy = useSelector(actor, (snapshot) => snapshot.hasTag('performing'))
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null)
  const [isTable, setTable] = useState(false)
  const request = (command: ClusterCommand) => actor.send({ type: 'command.requested', command })
  return (
    <Page
      title={t`Cluster`}
      note={value !== null && <Plural value={value.nodes.length} one="# node" other="# nodes" />}
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
        {({ nodes, streams }) =>
          nodes.length === 0 ? (
            <StatePanel icon={<Network size={20} />} title={t`No nodes`}>
              <Trans>This server is not part of a cluster.</Trans>
            </StatePanel>
          ) : (
            <>
              <ClusterNodes
                nodes={nodes}
                streams={streams}
                isTable={isTable}
                isBusy={isBusy}
                onReturn={(id) => request({ kind: 'drain', id, drained: false })}
                onConfirmationNeeded={setConfirmation}
              />
              {streams !== null && (
                <ClusterStreams nodes={nodes} streams={streams} isBusy={isBusy} onRequest={request} />
              )}
            </>
          )
        }
      </Resource>
      {confirmation !== null && (
        <ClusterConfirmation
          {...confirmation}
          onCancel={() => setConfirmation(null)}
          onConfirm={(command) => {
            request(command)
            setConfirmation(null)
          }}
        />
      )}
    </Page>
  )
}
