import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import { selectSettings } from '../../machines/app/app.selectors.ts'
import { useApp } from '../app/console.ts'
import { useVersion } from '../app/use-version.ts'
import { Page, Panel } from '../ui/Page.tsx'
import { Shortcuts } from './Shortcuts.tsx'
import styles from './Help.module.css'

export function HelpPage() {
  const { t } = useLingui()
  const { documentation, site } = useApp(selectSettings)
  const version = useVersion()
  return (
    <Page title={t`Help`} width="narrow">
      <Panel title={t`Main tasks`}>
        <dl className={styles.jobs}>
          <dt>{t`Watch a camera`}</dt>
          <dd>
            <Trans>
              Select it in <Link href="/streams">all streams</Link>. The picture is live, as the red dot and the time at
              the playhead show.
            </Trans>
          </dd>
          <dt>{t`Go back in the archive`}</dt>
          <dd>
            <Trans>
              Click a filled part of the timeline, or select a day in the calendar. Hatched parts have no recording. Go
              live returns to live video.
            </Trans>
          </dd>
          <dt>{t`Look closer`}</dt>
          <dd>
            <Trans>
              Turn the mouse wheel over the timeline to zoom in time, and over the picture to zoom in on it. While
              paused, step frame by frame.
            </Trans>
          </dd>
          <dt>{t`Search the archive`}</dt>
          <dd>
            <Trans>
              Press &lt; to play backwards, or hold the shuttle to play at any speed in both directions. Zoom in on the
              timeline and turn on Thumbnails to see stills along it.
            </Trans>
          </dd>
          <dt>{t`Save a clip`}</dt>
          <dd>
            <Trans>
              Open Download in the player, set the start and the end, and save an MP4 file. Snapshot saves the frame on
              the screen.
            </Trans>
          </dd>
          <dt>{t`Share with somebody`}</dt>
          <dd>
            <Trans>
              Copy the page's address: it opens the same moment for a colleague. For somebody without a login, create a
              public link on the camera's info page.
            </Trans>
          </dd>
          <dt>{t`Add a camera`}</dt>
          <dd>
            <Trans>
              Open Add stream and enter the camera's address (RTSP or HTTP). You can probe it before you save.
            </Trans>
          </dd>
        </dl>
      </Panel>
      <Panel title={t`Keyboard shortcuts`}>
        <Shortcuts />
      </Panel>
      <Panel title={t`About`}>
        <p>{version === '' ? t`The server doesn't report its version.` : t`Version ${version}`}</p>
        <p className={styles.links}>
          {documentation !== '' && <a href={documentation} target="_blank" rel="noopener">{t`Documentation`}</a>}
          {site !== '' && <a href={site} target="_blank" rel="noopener">{t`Website`}</a>}
        </p>
      </Panel>
    </Page>
  )
}
