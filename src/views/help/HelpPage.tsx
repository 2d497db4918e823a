import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import { selectSettings } from '../../machines/app/app.selectors.ts'
import { useApp } from '../app/console.ts'
import { Page, Panel } from '../ui/Page.tsx'
import { Shortcuts } from './Shortcuts.tsx'
import styles from './Help.module.css'

export function HelpPage() {
  const { t } = useLingui()
  const { version, documentation, site } = useApp(selectSettings)
  return (
    <Page title={t`Help`} width="narrow">
      <Panel title={t`The main jobs`}>
        <dl className={styles.jobs}>
          <dt>{t`Watch a camera`}</dt>
          <dd>
            <Trans>
              Choose it in <Link href="/streams">all streams</Link>. The picture is live; the red dot and the time at
              the playhead show it.
            </Trans>
          </dd>
          <dt>{t`Go back in the archive`}</dt>
          <dd>
            <Trans>
              Press the timeline where it is filled, or choose a day in the calendar. Hatched parts have no recording.
              Go live brings you back.
            </Trans>
          </dd>
          <dt>{t`Look closer`}</dt>
          <dd>
            <Trans>
              Turn the wheel over the timeline to zoom in time, and over the picture to magnify it. Step frame by frame
              while it is paused.
            </Trans>
          </dd>
          <dt>{t`Save a clip`}</dt>
          <dd>
            <Trans>
              Open Download in the player, choose from when to when, and save an MP4 file. Snapshot saves the picture on
              the screen.
            </Trans>
          </dd>
          <dt>{t`Show it to somebody`}</dt>
          <dd>
            <Trans>
              Copy the address: it leads a colleague to the same moment. Somebody without a login needs a public link,
              from the camera's info page.
            </Trans>
          </dd>
          <dt>{t`Add a camera`}</dt>
          <dd>
            <Trans>Add stream asks for its address (RTSP or HTTP) and can probe it before it is saved.</Trans>
          </dd>
        </dl>
      </Panel>
      <Panel title={t`Keyboard shortcuts`}>
        <Shortcuts />
      </Panel>
      <Panel title={t`About`}>
        <p>{version === '' ? t`The server does not say its version.` : t`Version ${version}`}</p>
        <p className={styles.links}>
          {documentation !== '' && <a href={documentation} target="_blank" rel="noopener">{t`Documentation`}</a>}
          {site !== '' && <a href={site} target="_blank" rel="noopener">{t`Site`}</a>}
        </p>
      </Panel>
    </Page>
  )
}
