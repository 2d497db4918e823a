import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ScanSearch } from 'lucide-react'
import { useCallback, useMemo, useRef } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { EventPage } from '../../api/contract/events.ts'
import type { EventFilter } from '../../api/resources/events.ts'
import { titles } from '../../i18n/titles.ts'
import { eventPictureKey } from '../../machines/events/event-picture.ts'
import { isNarrowed } from '../../machines/events/event-filter.ts'
import type { eventListMachine, eventsMachine } from '../../machines/events/events.machine.ts'
import { type Camera, type camerasMachine, noCameras } from '../../machines/streams/cameras.machine.ts'
import type { PreviewsRef } from '../../machines/streams/streams.selectors.ts'
import { Page } from '../ui/Page.tsx'
import { Pages } from '../ui/Pages.tsx'
import { Refused, Resource } from '../ui/Resource.tsx'
import { StatePanel } from '../ui/State.tsx'
import { useInSight } from '../ui/use-in-sight.ts'
import { EventCard } from './EventCard.tsx'
import { EventFilters } from './EventFilters.tsx'
import styles from './Events.module.css'

type ListRef = ActorRefFrom<typeof eventListMachine>
type CamerasRef = ActorRefFrom<typeof camerasMachine>

export function EventsPage({ actor }: { actor: ActorRefFrom<typeof eventsMachine> }) {
  const { t } = useLingui()
  const { list, cameras, previews, zone, apiError } = useSelector(actor, ({ context }) => context)
  if (apiError !== null) {
    return (
      <Page title={t(titles.events)}>
        <Refused apiError={apiError} onRetry={() => actor.send({ type: 'resource.retried' })} />
      </Page>
    )
  }
  if (list === null || cameras === null || previews === null) return null
  return <Events list={list} cameras={cameras} previews={previews} zone={zone} />
}

interface EventsProps {
  list: ListRef
  cameras: CamerasRef
  previews: PreviewsRef
  zone: string
}

function Events({ list, cameras, previews, zone }: EventsProps) {
  const { t } = useLingui()
  const { value, apiError, query } = useSelector(list, ({ context }) => context)
  const known = useSelector(cameras, ({ context }) => context.value) ?? noCameras
  const applyFilter = (change: Partial<EventFilter>) =>
    list.send({ type: 'query.changed', query: { ...query, page: 1, ...change } })
  return (
    <Page title={t(titles.events)} note={value !== null && <Count page={value} />}>
      <EventFilters query={query} zone={zone} cameras={known} found={value?.items ?? []} onFilter={applyFilter} />
      <Resource value={value} apiError={apiError} onRetry={() => list.send({ type: 'resource.retried' })}>
        {(page) =>
          page.items.length === 0 && page.page <= 1 ? (
            <NoEvents isFiltered={isNarrowed(query)} />
          ) : (
            <EventList
              page={page}
              cameras={known.items}
              previews={previews}
              zone={zone}
              onPage={(number) => applyFilter({ page: number })}
            />
          )
        }
      </Resource>
    </Page>
  )
}

function Count({ page: { total, hasMore = false } }: { page: EventPage }) {
  return (
    <span role="status">
      {hasMore ? (
        <Plural value={total} one="More than # event" other="More than # events" />
      ) : (
        <Plural value={total} one="# event" other="# events" />
      )}
    </span>
  )
}

function NoEvents({ isFiltered }: { isFiltered: boolean }) {
  const { t } = useLingui()
  return isFiltered ? (
    <StatePanel icon={<ScanSearch size={20} />} title={t`No events found`}>
      <Trans>No event matches the filter.</Trans>
    </StatePanel>
  ) : (
    <StatePanel icon={<ScanSearch size={20} />} title={t`No events yet`}>
      <Trans>Events that cameras and detectors report appear here.</Trans>
    </StatePanel>
  )
}

interface EventListProps {
  page: EventPage
  cameras: readonly Camera[]
  previews: PreviewsRef
  zone: string
  onPage: (page: number) => void
}

function EventList({
  page: { items, page, pageSize, total, hasMore = false },
  cameras,
  previews,
  zone,
  onPage,
}: EventListProps) {
  const { t } = useLingui()
  const list = useRef<HTMLUListElement>(null)
  const names = useMemo(() => new Map(cameras.map(({ uid, name }) => [uid, name])), [cameras])
  const lastPage = Math.max(1, Math.ceil(total / Math.max(1, pageSize)))
  useInSight(
    list,
    items,
    useCallback(
      (inSight) => {
        const keys = new Set(inSight.map(eventPictureKey))
        // The footage of a new event may not be readable yet.
        const subjects = [...keys].map((key) => ({ uid: key, isMoving: false, isAwaited: true }))
        previews.send({ type: 'previews.requested', subjects })
      },
      [previews],
    ),
  )
  return (
    <>
      <ul ref={list} className={styles.list} aria-label={t(titles.events)}>
        {items.map((event, index) => (
          <EventCard
            key={event.id ?? index}
            event={event}
            name={names.get(event.streamId) || event.streamId}
            previews={previews}
            zone={zone}
          />
        ))}
      </ul>
      {(lastPage > 1 || page > 1) && <Pages page={page} last={lastPage} hasMore={hasMore} onPage={onPage} />}
    </>
  )
}
