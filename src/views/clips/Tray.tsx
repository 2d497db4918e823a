import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { ChevronDown, Download as DownloadIcon } from 'lucide-react'
import { useRef, useState } from 'react'
import { selectDownloads, summaryOf, type ClipsRef, type Summary } from '../../machines/clips/clips.selectors.ts'
import { formatPercent } from '../../i18n/formats.ts'
import { Button } from '../ui/Button.tsx'
import { moveFocusOnUnmount, ifFocusIsLost } from '../ui/move-focus.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { DownloadRow } from './DownloadRow.tsx'
import styles from './Tray.module.css'

interface TrayProps {
  clips: ClipsRef
  /** Above the controls of the player. */
  isRaised: boolean
}

/** The downloads of clips, with their progress, over the lower right corner of every page. */
export function Tray({ clips, isRaised }: TrayProps) {
  const { t } = useLingui()
  const downloads = useSelector(clips, selectDownloads)
  const [isCollapsed, setIsCollapsed] = useState(false)
  const collapse = useRef<HTMLButtonElement>(null)
  if (downloads.length === 0) return null
  const summary = summaryOf(downloads)
  const expand = ({ detail }: { detail: number }) => {
    setIsCollapsed(false)
    // Not to the first button, which may dismiss all.
    if (detail === 0) ifFocusIsLost(() => collapse.current?.focus({ preventScroll: true }))
  }
  const ended = downloads.length - summary.open
  return (
    <section tabIndex={-1} className={styles.tray} aria-label={t`Downloads`} data-raised={isRaised || undefined}>
      <p className="visually-hidden" role="status">
        <Counts {...summary} />
      </p>
      {isCollapsed ? (
        <button ref={moveFocusOnUnmount} type="button" className={styles.pill} aria-expanded="false" onClick={expand}>
          <DownloadIcon size={16} aria-hidden="true" />
          <SummaryText {...summary} />
        </button>
      ) : (
        <div className={styles.panel}>
          <header className={styles.head}>
            <h2 className={styles.title}>
              <SummaryText {...summary} />
            </h2>
            {ended > 1 && (
              <Button variant="quiet" onClick={() => clips.send({ type: 'clips.cleared' })}>{t`Dismiss all`}</Button>
            )}
            <IconButton
              ref={collapse}
              label={t`Collapse`}
              placement="top"
              icon={<ChevronDown size={16} />}
              onPress={() => setIsCollapsed(true)}
            />
          </header>
          <ul className={styles.list}>
            {downloads.map((download) => (
              <DownloadRow
                key={download.id}
                download={download}
                onCancel={() => clips.send({ type: 'clips.cancelled', id: download.id })}
                onRetry={() => clips.send({ type: 'clips.retried', id: download.id })}
                onDismiss={() => clips.send({ type: 'clips.dismissed', id: download.id })}
              />
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

function SummaryText(summary: Summary) {
  const { open, percent } = summary
  if (open === 0) return <Counts {...summary} />
  return (
    <span className={styles.figures}>
      <Plural value={open} one="# download" other="# downloads" /> · {formatPercent(percent / 100)}
    </span>
  )
}

/** The number of downloads by state, announced when it changes. */
function Counts({ open, saved, refused }: Summary) {
  if (open + saved + refused === 0) return <Trans>Cancelled</Trans>
  return (
    <>
      {open > 0 && <Plural value={open} one="# download" other="# downloads" />}
      {open > 0 && saved + refused > 0 && ' · '}
      {saved > 0 && <Plural value={saved} one="# video saved" other="# videos saved" />}
      {saved > 0 && refused > 0 && ' · '}
      {refused > 0 && <Plural value={refused} one="# download failed" other="# downloads failed" />}
    </>
  )
}
