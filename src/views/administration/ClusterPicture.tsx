import { Plural, useLingui } from '@lingui/react/macro'
import type { PlacedStream } from '../../api/contract/cluster.ts'
import type { NodeStreams } from '../../machines/administration/placement.ts'
import { shownStatus } from '../../machines/stream/stream.selectors.ts'
import { Panel } from '../ui/Page.tsx'
import styles from './Cluster.module.css'

interface ClusterPictureProps {
  groups: readonly NodeStreams[]
  nameOf: (id: string) => string
  /** The node whose streams are listed; null: all. */
  chosen: string | null
  onChoose: (nodeId: string | null) => void
}

const isFailed = ({ status }: PlacedStream) => status === 'failed'

/** A mark for each stream, by the node that records it. A press lists the streams of that node only. */
export function ClusterPicture({ groups, nameOf, chosen, onChoose }: ClusterPictureProps) {
  const { t } = useLingui()
  return (
    <Panel title={t`Streams by node`}>
      <div className={styles.picture}>
        {groups.map(({ nodeId, streams }) => {
          const isChosen = nodeId === chosen
          const failed = streams.filter(isFailed).length
          return (
            <button
              key={nodeId}
              type="button"
              className={styles.node}
              aria-pressed={isChosen}
              onClick={() => onChoose(isChosen ? null : nodeId)}
            >
              <span className={styles.name}>{nodeId === '' ? t`No node` : nameOf(nodeId)}</span>{' '}
              <span className={styles.count}>
                <Plural value={streams.length} one="# stream" other="# streams" />
                {failed > 0 && (
                  <>
                    {', '}
                    <span className={styles.failed}>
                      <Plural value={failed} one="# failed" other="# failed" />
                    </span>
                  </>
                )}
              </span>
              <span className={styles.marks} aria-hidden="true">
                {streams.map((stream) => (
                  <StreamMark key={stream.streamId} stream={stream} />
                ))}
              </span>
            </button>
          )
        })}
      </div>
      <ul className={styles.legend}>
        <li>
          <i data-status="running" aria-hidden="true" /> {t`Running`}
        </li>
        <li>
          <i data-status="failed" aria-hidden="true" /> {t`Failed`}
        </li>
        <li>
          <i data-status="paused" aria-hidden="true" /> {t`Others`}
        </li>
        <li>
          <i data-pinned="true" aria-hidden="true" /> {t`Pinned`}
        </li>
        <li>
          <i data-moving="true" aria-hidden="true" /> {t`Being moved`}
        </li>
      </ul>
    </Panel>
  )
}

function StreamMark({ stream }: { stream: PlacedStream }) {
  const { name, streamId, pinnedNodeId, nextNodeId } = stream
  return (
    <i
      title={name || streamId}
      data-status={shownStatus(stream)}
      data-pinned={pinnedNodeId !== '' || undefined}
      data-moving={nextNodeId !== '' || undefined}
    />
  )
}
