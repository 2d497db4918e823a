import { useMemo } from 'react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import type { SnapshotFrom } from 'xstate'
import type { Stream } from '../../api/contract/stream.ts'
import { formatGigabytes } from '../../i18n/bytes.ts'
import { apiErrorText } from '../../i18n/errors.ts'
import { formatMoment, formatNumber } from '../../i18n/formats.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { liveAddress, searchOf } from '../../machines/player/address.ts'
import { dayRanges } from '../../machines/stream-pages/coverage-days.ts'
import type { Calendar, streamInfoMachine } from '../../machines/stream-pages/info.machine.ts'
import { AboutDays } from '../ui/AboutDays.tsx'
import { Facts, Panel } from '../ui/Page.tsx'
import { Skeleton } from '../ui/State.tsx'
import { CoverageMap, isoDayText } from './CoverageMap.tsx'
import styles from './ArchivePanel.module.css'

type Info = SnapshotFrom<typeof streamInfoMachine>['context']

/** The link of the end opens this long before it: at the end itself nothing is recorded any more. */
const endLeadMs = 10_000

export function ArchivePanel({ context, stream }: { context: Info; stream: Stream }) {
  const { t } = useLingui()
  const { archive, uid } = stream
  const { coverage, calendar, canViewArchive } = context
  const days = formatNumber(archive.depthHours / 24, { maximumFractionDigits: 1 })
  const hours = formatNumber(archive.depthHours)
  const depth = archive.depthHours === -1 ? t`No limit` : archive.depthHours >= 48 ? t`${days} days` : t`${hours} hours`
  const { isEnable, quotaBytes = -1 } = archive
  const recorded = coverage?.recorded ?? null
  return (
    <Panel title={t`Archive`}>
      <Facts
        facts={[
          { name: t`Recording`, value: isEnable ? t`On` : t`Off` },
          ...(isEnable ? [{ name: t`Depth`, value: depth }] : []),
          ...(isEnable && quotaBytes !== -1 ? [{ name: t`Maximum size`, value: formatGigabytes(quotaBytes) }] : []),
          ...(isEnable && archive.daysAhead !== undefined
            ? [{ name: t`At the current rate`, value: <AboutDays days={archive.daysAhead} /> }]
            : []),
          ...(recorded === null || calendar === null
            ? []
            : [
                { name: t`From`, value: <Moment uid={uid} at={recorded.from} zone={calendar.zone} /> },
                {
                  name: t`To`,
                  value: (
                    <Moment
                      uid={uid}
                      at={recorded.to}
                      opensAt={Math.max(recorded.from, recorded.to - endLeadMs)}
                      zone={calendar.zone}
                    />
                  ),
                },
              ]),
        ]}
      />
      {canViewArchive ? (
        <Recorded context={context} />
      ) : (
        <p className={styles.quiet}>{t`You have no access to this stream's archive.`}</p>
      )}
    </Panel>
  )
}

function Recorded({ context: { coverage, coverageApiError, calendar } }: { context: Info }) {
  const { t, i18n } = useLingui()
  if (coverage === null || coverage.days === null) {
    if (coverageApiError === null) return <Skeleton height="120px" />
    const { message, code } = apiErrorText(coverageApiError.code)
    return (
      <p className={styles.bad} role="status">
        {i18n._(message)} {code !== '' && <code>{code}</code>}
      </p>
    )
  }
  const { recorded, days } = coverage
  if (calendar === null || (recorded === null && days.length === 0))
    return <p className={styles.quiet}>{t`No recordings yet.`}</p>
  return <Days days={days} calendar={calendar} />
}

interface MomentProps {
  uid: string
  at: number
  /** What the link opens, if it isn't the moment itself. */
  opensAt?: number
  zone: string
}

function Moment({ uid, at, opensAt = at, zone }: MomentProps) {
  return (
    <Link href={pathTo('streamView', { uid }) + searchOf('', { ...liveAddress, at: opensAt })}>
      <time dateTime={new Date(at).toISOString()}>{formatMoment(at, zone)}</time>
    </Link>
  )
}

function Days({ days, calendar }: { days: readonly string[]; calendar: Calendar }) {
  const ranges = useMemo(() => dayRanges(days), [days])
  const { zone } = calendar
  return (
    <>
      <CoverageMap days={days} calendar={calendar} />
      <p className={styles.quiet}>
        <Trans>Days in the time zone {zone}.</Trans>
      </p>
      {ranges.length > 0 && (
        <details className={styles.list}>
          <summary>
            <Trans>Recorded days as a list</Trans>
          </summary>
          <ul>
            {ranges.map(({ from, to }) => (
              <li key={from}>{from === to ? isoDayText(from) : `${isoDayText(from)} – ${isoDayText(to)}`}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
