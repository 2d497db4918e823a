import { Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { Lock, PlugZap } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  selectCanSearchMotion,
  selectIsPageBroken,
  selectIsPageForbidden,
  selectIsPageWithdrawn,
  selectPlayer,
  selectPageExportDraft,
  selectPageLocks,
  selectPageTimelineLists,
  selectPagePtz,
  selectPageMotion,
  selectPageThumbnails,
  selectPageUnlock,
  selectStreamActor,
  type PlayerPageRef,
} from '../../machines/player/player.selectors.ts'
import { selectIsExportDialogOpen } from '../../machines/exports/export-draft.selectors.ts'
import { forbiddenText, isPlainlyForbidden } from '../../i18n/errors.ts'
import { withMessages } from '../../i18n/i18n.ts'
import { titles } from '../../i18n/titles.ts'
import { selectSubject, selectUser } from '../../machines/app/app.selectors.ts'
import { selectStreamApiError, type StreamRef } from '../../machines/stream/stream.selectors.ts'
import { useApp } from '../app/console.ts'
import { Downloads } from '../clips/Downloads.tsx'
import { ShortcutsDialog } from '../shell/ShortcutsDialog.tsx'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { deferred, useDeferred } from '../ui/deferred.ts'
import { StatePanel } from '../ui/State.tsx'
import { panels } from './panels.ts'
import { Player } from './Player.tsx'
import type { PlayerPorts } from './ports.ts'
import styles from './Player.module.css'

const linkPassword = deferred(() => withMessages(import('./LinkPassword.tsx')))

interface PlayerPageProps {
  actor: PlayerPageRef
  ports: PlayerPorts
}

/** Without the shell, which guests don't have, the page needs its own `main` (docs/behaviour.md §3, stream view). */
export function PlayerPage(props: PlayerPageProps) {
  const isGuest = useApp(selectUser) === null
  return isGuest ? (
    <main className={styles.guest}>
      <Page {...props} isGuest />
    </main>
  ) : (
    <Page {...props} isGuest={false} />
  )
}

function Page({ actor, ports, isGuest }: PlayerPageProps & { isGuest: boolean }) {
  const { t } = useLingui()
  const name = useApp(selectSubject)?.name || t(titles.stream)
  const player = useSelector(actor, selectPlayer)
  const stream = useSelector(actor, selectStreamActor)
  const lists = useSelector(actor, selectPageTimelineLists)
  const locks = useSelector(actor, selectPageLocks)
  const exportDraft = useSelector(actor, selectPageExportDraft)
  const isExporting = useSelector(exportDraft ?? undefined, selectIsExportDialogOpen)
  const parts = useDeferred(panels, isExporting)
  const ptz = useSelector(actor, selectPagePtz)
  const canSearchMotion = useSelector(actor, selectCanSearchMotion)
  const motion = useSelector(actor, selectPageMotion)
  const thumbnails = useSelector(actor, selectPageThumbnails)
  const unlock = useSelector(actor, selectPageUnlock)
  const entry = useDeferred(linkPassword, unlock !== undefined)
  const isForbidden = useSelector(actor, selectIsPageForbidden)
  const isWithdrawn = useSelector(actor, selectIsPageWithdrawn)
  const isBroken = useSelector(actor, selectIsPageBroken)
  const retry = <Button onClick={() => actor.send({ type: 'stream.retried' })}>{t`Retry`}</Button>
  if (unlock !== undefined)
    return <div className={styles.alone}>{entry !== null && <entry.LinkPassword form={unlock} />}</div>
  if (isForbidden) return <Forbidden stream={stream} retry={retry} />
  if (isWithdrawn) {
    return (
      <div className={styles.alone}>
        <StatePanel
          icon={<Lock size={20} />}
          title={t`This link was withdrawn`}
          announce
          isWholePage
          actions={<ButtonLink href="/auth" variant="primary">{t`Sign in`}</ButtonLink>}
        >
          <Trans>
            The person who shared this stream has withdrawn the link. Ask for a new one, or sign in if you have an
            account here.
          </Trans>
        </StatePanel>
      </div>
    )
  }
  if (isBroken) {
    return (
      <div className={styles.alone}>
        <StatePanel icon={<PlugZap size={20} />} title={t`The player could not be started`} announce actions={retry} />
      </div>
    )
  }
  if (player === undefined || stream === undefined || lists === null)
    return <div className={styles.player} aria-busy="true" />
  return (
    <>
      {isGuest && <h1 className="visually-hidden">{name}</h1>}
      <Player
        player={player}
        stream={stream}
        lists={lists}
        ports={ports}
        locks={locks}
        exportDraft={exportDraft}
        ptz={ptz}
        thumbnails={thumbnails}
        motion={canSearchMotion ? { actor: motion, load: () => ports.loadMotion(actor) } : null}
      />
      {parts !== null && exportDraft !== null && <parts.ExportDialog draft={exportDraft} player={player} />}
      {isGuest && <ShortcutsDialog />}
      {isGuest && <Downloads />}
    </>
  )
}

/** The page-level error of a stream that the user may not read (docs/behaviour.md §7). */
function Forbidden({ stream, retry }: { stream: StreamRef | undefined; retry: ReactNode }) {
  const { t, i18n } = useLingui()
  const apiError = useSelector(stream, (snapshot) => (snapshot === undefined ? null : selectStreamApiError(snapshot)))
  const { message, code } = forbiddenText(apiError?.code ?? '')
  return (
    <div className={styles.alone}>
      <StatePanel
        icon={<Lock size={20} />}
        title={i18n._(message)}
        announce
        actions={
          <>
            {retry}
            <ButtonLink href="/streams" variant="primary">{t`All streams`}</ButtonLink>
          </>
        }
      >
        {isPlainlyForbidden(apiError?.code ?? '') ? (
          <Trans>You may not watch this stream. Ask an administrator for access.</Trans>
        ) : (
          code
        )}
      </StatePanel>
    </div>
  )
}
