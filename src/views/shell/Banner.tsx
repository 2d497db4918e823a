import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ShieldAlert, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { HealthWarning } from '../../api/contract/health.ts'
import { formatBytes } from '../../i18n/bytes.ts'
import { formatDay, formatNumber } from '../../i18n/formats.ts'
import { selectPricingUrl } from '../../machines/app/app.selectors.ts'
import { drainedNode } from '../../machines/health/health.machine.ts'
import { useApp } from '../app/console.ts'
import { removeRow } from '../ui/remove-row.ts'
import styles from './Banners.module.css'

export function LicenseBanner() {
  const { t } = useLingui()
  return (
    <Banner>
      <Trans>License is missing or expired. Addition streams and watching archive has been disabled.</Trans>{' '}
      <Link href="/administration/license">{t`Upload a license`}</Link>
    </Banner>
  )
}

export function HealthBanner({ warning, onDismiss }: { warning: HealthWarning; onDismiss: () => void }) {
  return (
    <Banner {...(warning.code === drainedNode ? {} : { onDismiss })}>
      <NodeNames {...warning} />
      <Warning {...warning} />
    </Banner>
  )
}

/** The nodes of a cluster that a warning is about. */
function NodeNames({ code, nodes = [] }: HealthWarning) {
  if (nodes.length === 0 || code === 'CLUSTER_NODE_LOST') return null
  const names = nodes.join(', ')
  return (
    <>
      <Plural value={nodes.length} one={`Node ${names}:`} other={`Nodes ${names}:`} />{' '}
    </>
  )
}

const pathsOf = ({ volumes = [] }: HealthWarning): string =>
  volumes.map(({ path, bytes }) => (bytes === 0 ? path : `${path} (${formatBytes(bytes)})`)).join(', ')

function Warning(warning: HealthWarning) {
  const { code, expiresAt, usedPercent, donePercent, nodes = [] } = warning
  const { t } = useLingui()
  const pricingUrl = useApp(selectPricingUrl)
  switch (code) {
    case 'LICENSE_EXPIRATION': {
      const day = expiresAt === undefined ? '' : formatDay(expiresAt)
      return (
        <>
          {day === '' ? (
            <Trans>
              License will expire soon. Addition streams and watching archive will be disabled. Upload a new license to
              ensure uninterrupted service. If you do not have a license you can buy it.
            </Trans>
          ) : (
            <Trans>
              License will expire at {day}. Addition streams and watching archive will be disabled. Upload a new license
              to ensure uninterrupted service. If you do not have a license you can buy it.
            </Trans>
          )}{' '}
          <Link href="/administration/license">{t`Upload a license`}</Link>{' '}
          {pricingUrl === '' ? (
            <Link href="/help">{t`Get a license`}</Link>
          ) : (
            <a href={pricingUrl} target="_blank" rel="noopener">{t`Get a license`}</a>
          )}
        </>
      )
    }
    case 'ALLOC_DIR_DISK_SPACE': {
      if (usedPercent === undefined) return <Trans>The archive directory is running out of memory.</Trans>
      const percent = formatNumber(usedPercent)
      return <Trans>The archive directory is running out of memory, more than {percent}% used.</Trans>
    }
    case drainedNode:
      return <Trans>This node is drained. Start the node to return to the cluster.</Trans>
    case 'CLUSTER_NODE_LOST': {
      if (nodes.length === 0)
        return <Trans>A node of the cluster is not responding. Other nodes record its streams.</Trans>
      const names = nodes.join(', ')
      return (
        <Plural
          value={nodes.length}
          one={`Node ${names} is not responding. Other nodes record its streams.`}
          other={`Nodes ${names} are not responding. Other nodes record their streams.`}
        />
      )
    }
    case 'CLUSTER_CLOCK_SKEW':
      return (
        <Trans>
          The clock of this node is off by more than a second. Recordings are dated by the clock of the database.
        </Trans>
      )
    case 'CLOCK_STEPPED_BACK':
      return <Trans>The server's clock went back. New recordings may overlap older ones.</Trans>
    case 'DATABASE_AWAY':
      return (
        <Trans>
          The database can't be reached. Recording continues; the archive can be played again when the database is back.
        </Trans>
      )
    case 'FFMPEG_NOT_ISOLATED':
      return <Trans>The video decoder isn't isolated from the network on this server.</Trans>
    case 'ARCHIVE_VOLUME_MISSING': {
      const paths = pathsOf(warning)
      return (
        <Trans>
          Archive volumes are missing: {paths}. Recordings on them can't be played until they are back. Nothing is
          deleted.
        </Trans>
      )
    }
    case 'ARCHIVE_VOLUME_UNWRITABLE': {
      const paths = pathsOf(warning)
      return <Trans>Archive volumes are not writable: {paths}.</Trans>
    }
    case 'ARCHIVE_NO_VOLUME':
      return <Trans>No archive volume is available: nothing is being recorded.</Trans>
    case 'ARCHIVE_BUCKET_BEHIND': {
      const paths = pathsOf(warning)
      return (
        <Trans>Recordings are waiting on this server for upload to the bucket: {paths}. Recording continues.</Trans>
      )
    }
    case 'ARCHIVE_BUCKET_CONFLICT': {
      const paths = pathsOf(warning)
      return (
        <Trans>Recordings stay on this server because the bucket has other objects with the same names: {paths}.</Trans>
      )
    }
    case 'ARCHIVE_SPOOL_FULL':
      return (
        <Trans>The disk is full of recordings that wait for upload to the bucket: nothing is being recorded.</Trans>
      )
    case 'ARCHIVE_FULL_OF_LOCKED':
      return (
        <Trans>
          Locked recordings fill the maximum size of the archive. Besides them, only the last half hour is kept.
        </Trans>
      )
    case 'QUOTA_FULL_OF_LOCKED': {
      const paths = pathsOf(warning)
      return (
        <Trans>
          Locked recordings fill the quota of streams: {paths}. Besides them, only the last half hour is kept.
        </Trans>
      )
    }
    case 'MQTT_AWAY':
      return <Trans>The MQTT broker can't be reached. Events are kept until it is available again.</Trans>
    case 'OIDC_AWAY':
      return <Trans>The single sign-on service can't be reached. Users can't sign in with it.</Trans>
    case 'PROCESSOR_OVERLOADED':
      return (
        <Trans>
          The processor of this server is overloaded. Live video may be late, and video that must be transcoded may not
          play.
        </Trans>
      )
    case 'ARCHIVE_TAKEOVER': {
      if (donePercent === undefined)
        return <Trans>Recordings of an older version are being converted. They can be played meanwhile.</Trans>
      const percent = formatNumber(donePercent)
      return (
        <Trans>
          Recordings of an older version are being converted: {percent}% done. They can be played meanwhile.
        </Trans>
      )
    }
    default:
      return null
  }
}

function Banner({ children, onDismiss }: { children: ReactNode; onDismiss?: () => void }) {
  const { t } = useLingui()
  return (
    <div className={styles.banner}>
      {onDismiss === undefined ? (
        <ShieldAlert size={16} aria-hidden="true" />
      ) : (
        <TriangleAlert size={16} aria-hidden="true" />
      )}
      <p className={styles.text}>{children}</p>
      {onDismiss !== undefined && (
        <button
          data-dismiss
          type="button"
          className={styles.dismiss}
          aria-label={t`Dismiss`}
          title={t`Dismiss`}
          onClick={() => removeRow('[data-dismiss]', 'main', onDismiss)}
        >
          <X size={16} aria-hidden="true" />
        </button>
      )}
    </div>
  )
}
