import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { SearchX, Video, VideoOff } from 'lucide-react'
import { selectCanAddStream } from '../../machines/app/app.selectors.ts'
import { type StreamsRef, selectView } from '../../machines/streams/streams.selectors.ts'
import { useApp } from '../app/console.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { StatePanel } from '../ui/State.tsx'

export function EmptyList({ actor }: { actor: StreamsRef }) {
  const { t } = useLingui()
  const { searchingValues, isShownAvailableStreams } = useSelector(actor, selectView)
  const canAddStream = useApp(selectCanAddStream)
  if (searchingValues.length > 0) {
    return (
      <StatePanel
        icon={<SearchX size={20} />}
        title={t`No matches`}
        actions={
          <Button variant="primary" onClick={() => actor.send({ type: 'search.cleared' })}>{t`Clear search`}</Button>
        }
      >
        <Trans>No stream contains all of these in its name, source, tags or location.</Trans>
      </StatePanel>
    )
  }
  if (isShownAvailableStreams) {
    return (
      <StatePanel
        icon={<VideoOff size={20} />}
        title={t`No stream is available now`}
        actions={
          <Button
            variant="primary"
            onClick={() => actor.send({ type: 'availability.switched' })}
          >{t`Show all streams`}</Button>
        }
      >
        <Trans>Paused and failed streams are hidden.</Trans>
      </StatePanel>
    )
  }
  if (!canAddStream) {
    return (
      <StatePanel icon={<Video size={20} />} title={t`No streams yet`}>
        <Trans>Ask an administrator for access. The streams that you may watch appear here.</Trans>
      </StatePanel>
    )
  }
  return (
    <StatePanel
      icon={<Video size={20} />}
      title={t`No streams yet`}
      actions={<ButtonLink href="/add-stream" variant="primary">{t`Add the first stream`}</ButtonLink>}
    >
      <Trans>All you need is the address of a camera, such as rtsp://192.168.1.20/live.</Trans>
    </StatePanel>
  )
}
