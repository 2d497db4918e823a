import { Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { CloudOff, Film, Lock, PauseCircle, ServerOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { apiErrorText } from '../../i18n/errors.ts'
import { selectIsAdmin } from '../../machines/app/app.selectors.ts'
import {
  selectCanGoLive,
  selectIsLost,
  selectIsSilenced,
  selectLastFrameAt,
  selectMediaFailure,
  selectMediaState,
  selectMode,
  selectPlayerStream,
  selectRefusedCodec,
  selectScene,
  selectWaitingPicture,
  selectZone,
  type MediaRef,
  type PlayerRef,
} from '../../machines/player/player.selectors.ts'
import { selectPictureUrl } from '../../machines/player/waiting-picture.machine.ts'
import {
  selectCanAdmin,
  selectIsChangingStatus,
  selectStreamApiError,
  type StreamRef,
} from '../../machines/stream/stream.selectors.ts'
import { useApp } from '../app/console.ts'
import { Button } from '../ui/Button.tsx'
import { useLastFrameText } from './last-frame-text.ts'
import { sentence, useLossReason } from './loss-words.ts'
import styles from './Scenes.module.css'

interface ScenesProps {
  player: PlayerRef
  media: MediaRef
  stream: StreamRef
  /** The moment of the frame on the screen; null if there is none. */
  shownAt: () => number | null
}

/** What lies over the picture: notices, what the player waits for, and a button while the browser mutes the page. */
export function Scenes({ player, media, stream, shownAt }: ScenesProps) {
  const { t, i18n } = useLingui()
  const scene = useSelector(player, selectScene)
  const mode = useSelector(player, selectMode)
  const mediaState = useSelector(media, selectMediaState)
  const failure = useSelector(media, selectMediaFailure)
  const codec = useSelector(media, selectRefusedCodec)
  const isSilenced = useSelector(media, selectIsSilenced)
  const apiError = useSelector(stream, selectStreamApiError)
  const reasonOf = useLossReason()
  const playerStream = useSelector(player, selectPlayerStream)
  const lastFrameAt = useSelector(media, selectLastFrameAt)
  const zone = useSelector(player, selectZone)
  const isLost = useSelector(media, selectIsLost)
  const lastFrameText = useLastFrameText(mode === 'live' ? (lastFrameAt ?? (isLost ? shownAt() : null)) : null, zone)
  const isFailing = mediaState === 'interrupted' || (isLost && (mediaState === 'stalled' || mediaState === 'loading'))
  const isWaiting =
    scene === 'deciding' ||
    (scene === 'media' && (mediaState === 'idle' || mediaState === 'loading' || mediaState === 'interrupted'))
  const waitingPicture = useSelector(useSelector(player, selectWaitingPicture), selectPictureUrl)
  const retry = <Button key="retry" onClick={() => player.send({ type: 'retry.requested' })}>{t`Retry`}</Button>
  const goLive = <Button key="live" onClick={() => player.send({ type: 'live.requested' })}>{t`Watch live`}</Button>
  const canGoLive = useSelector(player, selectCanGoLive)
  const retryOrGoLive = mode === 'live' || !canGoLive ? retry : [retry, goLive]
  const refusal = apiError === null ? null : apiErrorText(apiError.code)

  return (
    <>
      {isWaiting && waitingPicture !== null && <img className={styles.waitingPicture} src={waitingPicture} alt="" />}
      {scene === 'deciding' && refusal !== null && (
        <Notice icon={<CloudOff size={20} />} title={t`The stream can't be loaded`}>
          {sentence(`${i18n._(refusal.message)}${refusal.code === '' ? '' : ` (${refusal.code})`}`)}{' '}
          <Trans>Trying again…</Trans>
        </Notice>
      )}
      {scene === 'unavailable' && (
        <Notice icon={<ServerOff size={20} />} title={t`The stream is unavailable`}>
          <Trans>
            Its server is not responding. Live video resumes automatically. Recordings on other servers can be watched.
          </Trans>
        </Notice>
      )}
      {scene === 'halted' && <Halted stream={stream} />}
      {scene === 'atStart' && (
        <Pill>
          <Trans>The recording begins here</Trans>
        </Pill>
      )}
      {scene === 'atEnd' && (
        <Pill>
          <Trans>The recording ends here</Trans>
        </Pill>
      )}
      {scene === 'media' && isFailing && (
        <Notice
          icon={<CloudOff size={20} />}
          title={mode === 'live' ? t`No live picture` : t`The recording can't be loaded`}
          actions={retryOrGoLive}
        >
          {reasonOf({ mode, stream: playerStream, failure })} {lastFrameText} <Trans>Trying again…</Trans>
        </Notice>
      )}
      {scene === 'media' && mediaState === 'unplayable' && <Unplayable codec={codec} actions={retry} />}
      {scene === 'media' && mediaState === 'forbidden' && (
        <Notice icon={<Lock size={20} />} title={t`You don't have access`} actions={retryOrGoLive}>
          {mode === 'live' ? (
            <Trans>You may not watch this stream live.</Trans>
          ) : canGoLive ? (
            <Trans>You may watch this stream live, but not its archive.</Trans>
          ) : (
            <Trans>You may not watch this archive.</Trans>
          )}
        </Notice>
      )}
      {(scene === 'searching' || isWaiting || (scene === 'media' && mediaState === 'switching')) &&
        mediaState !== 'interrupted' && <Progress label={t`Loading`} />}
      {scene === 'media' && mediaState === 'stalled' && !isLost && (
        <Pill>
          <Trans>Waiting for the video…</Trans>
        </Pill>
      )}
      {scene === 'media' && isSilenced && mediaState === 'playing' && (
        <div className={styles.corner}>
          <Button onClick={() => player.send({ type: 'mute.toggled' })}>{t`Turn the sound on`}</Button>
        </div>
      )}
    </>
  )
}

function Halted({ stream }: { stream: StreamRef }) {
  const { t } = useLingui()
  const isBusy = useSelector(stream, selectIsChangingStatus)
  const isAdmin = useApp(selectIsAdmin)
  const canAdmin = useSelector(stream, selectCanAdmin) || isAdmin
  return (
    <Notice
      icon={<PauseCircle size={20} />}
      title={t`The stream is paused`}
      actions={
        canAdmin ? (
          <Button
            variant="primary"
            busy={isBusy}
            onClick={() => stream.send({ type: 'stream.resumeRequested' })}
          >{t`Resume the stream`}</Button>
        ) : undefined
      }
    >
      <Trans>Existing recordings can still be watched from the timeline.</Trans>
    </Notice>
  )
}

/** Nearly every browser plays H.264: there is no point in changing a camera that sends it. */
function Unplayable({ codec, actions }: { codec: string | null; actions: ReactNode }) {
  const { t } = useLingui()
  return (
    <Notice
      icon={<Film size={20} />}
      title={codec === null ? t`This browser can't play this video's format` : t`This browser can't play ${codec}`}
      actions={actions}
    >
      {codec === null || codec === 'H.264' ? (
        <Trans>Open the stream in another browser.</Trans>
      ) : (
        <Trans>Set the camera to H.264, or open the stream in a browser that plays {codec}.</Trans>
      )}
    </Notice>
  )
}

function Notice({
  icon,
  title,
  children,
  actions,
}: {
  icon: ReactNode
  title: string
  children: ReactNode
  actions?: ReactNode
}) {
  return (
    <div className={styles.notice} role="status">
      <span className={styles.icon} aria-hidden="true">
        {icon}
      </span>
      <h2>{title}</h2>
      <p>{children}</p>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}

function Pill({ children }: { children: ReactNode }) {
  return (
    <p className={styles.pill} role="status">
      {children}
    </p>
  )
}

function Progress({ label }: { label: string }) {
  return <div className={styles.progress} role="progressbar" aria-label={label} />
}
