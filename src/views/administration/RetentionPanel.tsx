import { useSelector } from '@xstate/react'
import { msg } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ActorRefFrom } from 'xstate'
import type { Retention } from '../../api/contract/archive.ts'
import { formatBytes } from '../../i18n/bytes.ts'
import type { retentionMachine } from '../../machines/administration/administration.machines.ts'
import { AboutDays } from '../ui/AboutDays.tsx'
import { Panel } from '../ui/Page.tsx'
import { Resource } from '../ui/Resource.tsx'
import { type Column, Table } from '../ui/Table.tsx'
import styles from './Statistics.module.css'

type Item = Retention['items'][number]
type Volume = Retention['volumes'][number]

const limitWords: Readonly<Record<string, MessageDescriptor>> = {
  days: msg`depth`,
  quota: msg`quota of the stream`,
  site: msg`size of the archive`,
  disk: msg`disk`,
  none: msg`nothing`,
}

const shortestFirst = (a: Item, b: Item): number =>
  (a.daysAhead ?? Number.MAX_VALUE) - (b.daysAhead ?? Number.MAX_VALUE)

/** How much of each stream is stored and for how long, the shortest first. */
export function RetentionPanel({ actor }: { actor: ActorRefFrom<typeof retentionMachine> }) {
  const { t } = useLingui()
  const { value, apiError } = useSelector(actor, ({ context }) => context)
  return (
    <Panel title={t`Retention`}>
      <Resource value={value} apiError={apiError} onRetry={() => actor.send({ type: 'resource.retried' })}>
        {(retention) => <Streams {...retention} />}
      </Resource>
    </Panel>
  )
}

const stateWords: Readonly<Record<string, MessageDescriptor>> = {
  missing: msg`missing`,
  unwritable: msg`not writable`,
  unlisted: msg`not used for recording`,
  away: msg`no connection`,
}

const daysAhead = ({ daysAhead: days }: Pick<Item, 'daysAhead'>) =>
  typeof days === 'number' ? <AboutDays days={days} /> : '–'

function Volumes({ volumes, items }: Pick<Retention, 'volumes' | 'items'>) {
  const { t, i18n } = useLingui()
  const nameOf = (uid: string) => items.find((item) => item.uid === uid)?.name || uid
  /** A bucket or a missing volume has no known size. */
  const sizeOf = ({ totalBytes }: Volume, bytes: number) => (totalBytes === 0 ? '–' : formatBytes(bytes))
  const columns: readonly Column<Volume>[] = [
    {
      id: 'path',
      label: t`Archive volume`,
      render: ({ path, state }) => {
        const words = Object.hasOwn(stateWords, state) ? stateWords[state] : undefined
        return (
          <>
            {path}
            {words !== undefined && <span className={styles.live}>{i18n._(words)}</span>}
          </>
        )
      },
    },
    {
      id: 'size',
      label: t`Size`,
      render: (volume) => sizeOf(volume, volume.totalBytes),
      isFigure: true,
    },
    {
      id: 'free',
      label: t`Free space`,
      render: (volume) => sizeOf(volume, volume.freeBytes),
      isFigure: true,
    },
    { id: 'bytes', label: t`Recordings`, render: ({ bytes }) => formatBytes(bytes), isFigure: true },
    { id: 'ahead', label: t`At the current rate`, render: daysAhead, isFigure: true },
    {
      id: 'first',
      label: t`Deleted first`,
      render: ({ first }) => (typeof first === 'string' ? nameOf(first) : '–'),
    },
  ]
  return <Table label={t`Archive volumes`} columns={columns} rows={volumes} keyOf={({ path }) => path} />
}

function Streams({ items, first, freeBytes, volumes }: Retention) {
  const { t, i18n } = useLingui()
  const columns: readonly Column<Item>[] = [
    {
      id: 'name',
      label: t`Stream`,
      render: ({ name, uid }) => (
        <>
          {name || uid}
          {uid === first && <span className={styles.live}>{t`deleted first`}</span>}
        </>
      ),
    },
    { id: 'bytes', label: t`Size`, render: ({ bytes }) => formatBytes(bytes), isFigure: true },
    {
      id: 'rate',
      label: t`Per day`,
      render: ({ bytesPerDay }) => (bytesPerDay === 0 ? '–' : formatBytes(bytesPerDay)),
      isFigure: true,
    },
    { id: 'kept', label: t`Stored now`, render: ({ daysKept }) => <AboutDays days={daysKept} />, isFigure: true },
    { id: 'ahead', label: t`At the current rate`, render: daysAhead, isFigure: true },
    {
      id: 'limit',
      label: t`Limited by`,
      render: ({ limit }) => {
        const words = Object.hasOwn(limitWords, limit) ? limitWords[limit] : undefined
        return words === undefined ? limit : i18n._(words)
      },
    },
  ]
  /** With a bucket that is in use, a full disk waits for the bucket. */
  const hasBucket = volumes.some(({ path, state }) => path.includes('://') && state !== 'unlisted')
  return (
    <>
      <p className={styles.help}>
        <Plural value={items.length} one="# stream" other="# streams" />
        {'; '}
        {hasBucket ? (
          <Trans>{formatBytes(freeBytes)} of disk space is free for recordings on their way into the bucket.</Trans>
        ) : (
          <Trans>
            {formatBytes(freeBytes)} of disk space is free. When it runs out, the oldest recordings of the stream marked
            “deleted first” are deleted first.
          </Trans>
        )}
      </p>
      <Table label={t`Retention`} columns={columns} rows={items.toSorted(shortestFirst)} keyOf={({ uid }) => uid} />
      {volumes.length > 0 && <Volumes volumes={volumes} items={items} />}
    </>
  )
}
