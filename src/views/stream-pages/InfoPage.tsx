import { useState } from 'react'
import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import { CirclePlay, Pause, Play, Trash2 } from 'lucide-react'
import type { ActorRefFrom } from 'xstate'
import type { Stream } from '../../api/contract/stream.ts'
import { selectSettings, selectUser } from '../../machines/app/app.selectors.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { selectContext } from '../../machines/selectors.ts'
import { isStreamAvailable, shownStatus, type StreamRef } from '../../machines/stream/stream.selectors.ts'
import type { streamInfoMachine } from '../../machines/stream-pages/info.machine.ts'
import { canAdminister } from '../../machines/stream-pages/stream-page.machine.ts'
import { formatMoment, formatNumber } from '../../i18n/formats.ts'
import { useApp } from '../app/console.ts'
import { isRecorded, PauseDialog } from '../streams/PauseDialog.tsx'
import { StatusMark } from '../streams/StatusMark.tsx'
import { markerColour } from '../streams/stream-words.tsx'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Facts, Page, Panel } from '../ui/Page.tsx'
import { ArchivePanel } from './ArchivePanel.tsx'
import { LatestPicture } from './LatestPicture.tsx'
import { nearestMarker, useMarkerNames } from './marker-colours.ts'
import { ProbeButton, ProbeOutcome } from './Probing.tsx'
import { RemovalDialog } from './RemovalDialog.tsx'
import { SharePanel } from './SharePanel.tsx'
import { StreamNode } from './StreamNode.tsx'
import { Tracks, useBitrate } from './Tracks.tsx'
import { useReason } from './reasons.ts'
import styles from './InfoPage.module.css'

interface InfoPageProps {
  actor: ActorRefFrom<typeof streamInfoMachine>
  stream: Stream
  streamActor: StreamRef
  isChangingStatus: boolean
}

export function InfoPage({ actor, stream, streamActor, isChangingStatus }: InfoPageProps) {
  const { t } = useLingui()
  const context = useSelector(actor, selectContext)
  const user = useApp(selectUser)
  const canAdmin = canAdminister(stream, user)
  const isPaused = stream.status === 'paused'
  const [isPausing, setPausing] = useState(false)
  const pause = () => {
    setPausing(false)
    streamActor.send({ type: 'stream.pauseRequested' })
  }
  return (
    <Page
      title={t`Stream info`}
      note={<StatusMark status={shownStatus(stream)} />}
      actions={
        <>
          {canAdmin && (
            <>
              <Button
                busy={isChangingStatus}
                icon={isPaused ? <Play size={16} aria-hidden="true" /> : <Pause size={16} aria-hidden="true" />}
                onClick={() => {
                  if (isPaused) streamActor.send({ type: 'stream.resumeRequested' })
                  else if (isRecorded(stream)) setPausing(true)
                  else pause()
                }}
              >
                {isPaused ? t`Resume` : t`Pause`}
              </Button>
              <Button
                icon={<Trash2 size={16} aria-hidden="true" />}
                onClick={() => context.removal.send({ type: 'removal.requested' })}
              >
                {t`Delete`}
              </Button>
            </>
          )}
          <ButtonLink
            href={pathTo('streamView', { uid: context.uid })}
            variant="primary"
            icon={<CirclePlay size={16} aria-hidden="true" />}
          >
            {t`Watch`}
          </ButtonLink>
        </>
      }
    >
      <div className={styles.columns}>
        <div className={styles.column}>
          <LatestPicture actor={context.picture} stream={stream} />
          <ArchivePanel context={context} stream={stream} />
        </div>
        <div className={styles.column}>
          <StreamFacts stream={stream} canAdmin={canAdmin} />
          {(canAdmin || stream.tracks !== undefined) && (
            <Panel
              title={t`Video and sound`}
              actions={
                canAdmin && <ProbeButton actor={context.probing} subject={{ streamId: context.uid }} label={t`Probe`} />
              }
            >
              {stream.tracks !== undefined && <Tracks tracks={stream.tracks} />}
              {canAdmin && <p className={styles.quiet}>{t`Probe asks the camera which video and sound it sends.`}</p>}
              <ProbeOutcome actor={context.probing} />
            </Panel>
          )}
          {canAdmin && <SharePanel actor={context.share} stream={stream} />}
        </div>
      </div>
      {isPausing && <PauseDialog streams={[stream]} onConfirm={pause} onCancel={() => setPausing(false)} />}
      <RemovalDialog actor={context.removal} stream={stream} coverage={context.coverage} />
    </Page>
  )
}

function StreamFacts({ stream, canAdmin }: { stream: Stream; canAdmin: boolean }) {
  const { t } = useLingui()
  const settings = useApp(selectSettings)
  const reasonOf = useReason()
  const bitrate = useBitrate()
  const colour = markerColour(stream)
  const none = <span className={styles.quiet}>{t`none`}</span>
  const isAvailable = isStreamAvailable(stream, settings)
  const publicAccess = usePublicAccess(stream)
  const facts = [
    { name: t`Name`, value: stream.name || none },
    { name: t`Status`, value: <StatusMark status={shownStatus(stream)} /> },
    stream.failureReason !== '' && {
      name: t`Reason`,
      value: <span className={styles.bad}>{reasonOf(stream.failureReason)}</span>,
    },
    !isAvailable && {
      name: t`Availability`,
      value: <span className={styles.bad}>{t`The node of this stream is not available.`}</span>,
    },
    stream.streamSource !== '' && {
      name: t`Source`,
      value: <code className={styles.code}>{stream.streamSource}</code>,
    },
    stream.substreamSource !== undefined &&
      stream.substreamSource !== '' && {
        name: t`Substream`,
        value: <code className={styles.code}>{stream.substreamSource}</code>,
      },
    stream.bitrate !== undefined && stream.bitrate > 0 && { name: t`Bit rate`, value: bitrate(stream.bitrate) },
    stream.viewers !== undefined && { name: t`Viewers`, value: formatNumber(stream.viewers) },
    { name: t`Location`, value: stream.location.name || none },
    { name: t`Tags`, value: stream.tags.length === 0 ? none : <TagList tags={stream.tags} /> },
    colour !== undefined && { name: t`Marker`, value: <Marker colour={colour} /> },
    { name: t`Connection`, value: stream.live.onDemand ? t`On demand, while somebody watches` : t`Always` },
    canAdmin && {
      name: t`Public access`,
      value: publicAccess,
    },
    settings.clusterEnabled && { name: t`Node`, value: <StreamNode {...stream.node} /> },
    { name: t`Id`, value: <code className={styles.code}>{stream.uid}</code> },
  ].filter((fact) => typeof fact === 'object')
  return (
    <Panel title={t`Stream`}>
      <Facts facts={facts} />
    </Panel>
  )
}

function usePublicAccess({ meta, sharedRange }: Stream): string {
  const { t } = useLingui()
  if (!meta.isShared) return t`Off`
  if (sharedRange === undefined) return t`On: anyone with the link can watch live`
  const [from, to] = [formatMoment(sharedRange.startTime), formatMoment(sharedRange.endTime)]
  return sharedRange.live
    ? t`On: anyone with the link can watch live, and the archive from ${from} to ${to}`
    : t`On: anyone with the link can watch the archive from ${from} to ${to}`
}

function Marker({ colour }: { colour: string }) {
  const names = useMarkerNames()
  const nearest = nearestMarker(colour)
  return (
    <span
      className={styles.marker}
      style={{ background: colour }}
      role="img"
      aria-label={nearest === null ? colour : names[nearest]}
      title={colour}
    />
  )
}

function TagList({ tags }: { tags: readonly string[] }) {
  return (
    <ul className={styles.tags}>
      {tags.map((tag) => (
        <li key={tag}>{tag}</li>
      ))}
    </ul>
  )
}
