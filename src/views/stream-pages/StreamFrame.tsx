import type { ComponentType } from 'react'
import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { CircleAlert, Lock } from 'lucide-react'
import type { AnyActorRef, SnapshotFrom } from 'xstate'
import type { Stream } from '../../api/contract/stream.ts'
import { forbiddenText, isPlainlyForbidden, apiErrorText } from '../../i18n/errors.ts'
import { pathTo } from '../../machines/app/routes.ts'
import {
  selectIsChangingStatus,
  selectStream,
  selectStreamApiError,
  type StreamRef,
} from '../../machines/stream/stream.selectors.ts'
import type { StreamPageRef, streamPageMachine } from '../../machines/stream-pages/stream-page.machine.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Page } from '../ui/Page.tsx'
import { Skeleton, StatePanel } from '../ui/State.tsx'
import styles from './StreamFrame.module.css'

type Snapshot = SnapshotFrom<typeof streamPageMachine>

const selectStreamActor = ({ children }: Snapshot): StreamRef | undefined => children.stream
const selectContent = ({ children }: Snapshot): AnyActorRef | undefined => children.content
const selectIsForbidden = (snapshot: Snapshot) => snapshot.matches({ visit: 'forbidden' })
const selectIsDenied = (snapshot: Snapshot) => snapshot.matches({ visit: 'denied' })
const selectIsBroken = (snapshot: Snapshot) => snapshot.matches({ visit: 'broken' })
const selectUid = ({ context }: Snapshot) => context.uid

export interface ContentProps<Ref extends AnyActorRef> {
  actor: Ref
  stream: Stream
  streamActor: StreamRef
  isChangingStatus: boolean
}

interface StreamFrameProps {
  actor: StreamPageRef
  title: string
  Content: ComponentType<ContentProps<AnyActorRef>>
}

/** Shows a page about a stream or, instead: loading, an error, or which access the user lacks. */
export function StreamFrame({ actor, title, Content }: StreamFrameProps) {
  const { t } = useLingui()
  const streamActor = useSelector(actor, selectStreamActor)
  const content = useSelector(actor, selectContent)
  const isForbidden = useSelector(actor, selectIsForbidden)
  const isDenied = useSelector(actor, selectIsDenied)
  const isBroken = useSelector(actor, selectIsBroken)
  const uid = useSelector(actor, selectUid)
  const retry = () => actor.send({ type: 'stream.retried' })
  if (streamActor === undefined) return null
  if (isForbidden) return <Forbidden streamActor={streamActor} onRetry={retry} />
  if (isBroken)
    return (
      <StatePanel
        icon={<CircleAlert size={20} />}
        title={t`Something went wrong`}
        announce
        isWholePage
        actions={<Button onClick={retry}>{t`Retry`}</Button>}
      />
    )
  if (isDenied) {
    return (
      <StatePanel
        icon={<Lock size={20} />}
        title={t`You don't have access`}
        announce
        isWholePage
        actions={<ButtonLink href={pathTo('streamInfo', { uid })}>{t`Stream info`}</ButtonLink>}
      >
        <Trans>This page is for users who may change the stream. Ask an administrator for access.</Trans>
      </StatePanel>
    )
  }
  if (content === undefined) return <Opening streamActor={streamActor} title={title} />
  return <Open streamActor={streamActor} content={content} Content={Content} />
}

function Open({
  streamActor,
  content,
  Content,
}: {
  streamActor: StreamRef
  content: AnyActorRef
  Content: StreamFrameProps['Content']
}) {
  const stream = useSelector(streamActor, selectStream)
  const isChangingStatus = useSelector(streamActor, selectIsChangingStatus)
  if (stream === null) return null
  return (
    <Content
      key={content.sessionId}
      actor={content}
      stream={stream}
      streamActor={streamActor}
      isChangingStatus={isChangingStatus}
    />
  )
}

/** The page-level error of a stream that the user may not read (docs/behaviour.md §6). */
function Forbidden({ streamActor, onRetry }: { streamActor: StreamRef; onRetry: () => void }) {
  const { t, i18n } = useLingui()
  const apiError = useSelector(streamActor, selectStreamApiError)
  const { message, code } = forbiddenText(apiError?.code ?? '')
  return (
    <StatePanel
      icon={<Lock size={20} />}
      title={i18n._(message)}
      announce
      isWholePage
      actions={
        <>
          <Button onClick={onRetry}>{t`Retry`}</Button>
          <ButtonLink href="/streams">{t`All streams`}</ButtonLink>
        </>
      }
    >
      {isPlainlyForbidden(apiError?.code ?? '') && (
        <Trans>You have no access to this stream. Ask an administrator for access.</Trans>
      )}{' '}
      {code !== '' && <code>{code}</code>}
    </StatePanel>
  )
}

function Opening({ streamActor, title }: { streamActor: StreamRef; title: string }) {
  const { i18n } = useLingui()
  const apiError = useSelector(streamActor, selectStreamApiError)
  if (apiError !== null) {
    return (
      <StatePanel
        icon={<CircleAlert size={20} />}
        title={i18n._(apiErrorText(apiError.code).message)}
        announce
        isWholePage
      >
        <Trans>The stream could not be loaded. Trying again.</Trans>
      </StatePanel>
    )
  }
  return (
    <Page title={title}>
      <div className={styles.skeletons} aria-busy="true">
        <Skeleton height="220px" />
        <Skeleton height="220px" />
        <Skeleton height="120px" />
      </div>
    </Page>
  )
}
