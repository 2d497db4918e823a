import { type KeyboardEvent, useMemo, useRef } from 'react'
import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Grid2x2, ListChecks, Map as MapIcon, Pencil, X } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { titles } from '../../i18n/titles.ts'
import { selectIsAdmin, selectSettings } from '../../machines/app/app.selectors.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { arrowOf } from '../../machines/picture-points.ts'
import { cameraTowards } from '../../machines/plans/plan-shapes.ts'
import { chosenOn, type planMachine, type ShownPlan } from '../../machines/plans/plan.machine.ts'
import { selectContext } from '../../machines/selectors.ts'
import { useApp } from '../app/console.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Resource } from '../ui/Resource.tsx'
import { StatePanel } from '../ui/State.tsx'
import { PlanCanvas } from './PlanCanvas.tsx'
import { PlanMarker } from './PlanMarker.tsx'
import { signStatus } from './plan-words.ts'
import marker from './Marker.module.css'
import styles from './Plan.module.css'

type PageRef = ActorRefFrom<typeof planMachine>
type Snapshot = SnapshotFrom<typeof planMachine>

const selectIsChoosing = (snapshot: Snapshot) => !snapshot.matches('watching')
const selectIsOpening = (snapshot: Snapshot) => snapshot.matches('opening')

/** Names of more cameras would cover each other: then only the camera under the pointer has its name. */
const maxNames = 24

export function PlanPage({ actor }: { actor: PageRef }) {
  const { t } = useLingui()
  const { resource, chosen } = useSelector(actor, selectContext)
  const isChoosing = useSelector(actor, selectIsChoosing)
  const { value, apiError } = useSelector(resource, ({ context }) => context)
  const isAdmin = useApp(selectIsAdmin)
  const streams = value?.plan.streams ?? []
  const settings = useApp(selectSettings)
  const statuses = streams.map((stream) => signStatus(stream, settings))
  const failed = statuses.filter((status) => status === 'failed').length
  const away = statuses.filter((status) => status === 'away').length
  const title = value === null ? t(titles.plan) : value.plan.title || value.plan.id
  return (
    <div className={styles.screen}>
      <div className={styles.bar}>
        <h1 className={styles.title}>{title}</h1>
        {value !== null && (
          <span className={styles.note} role="status">
            <Plural value={streams.length} one="# camera" other="# cameras" />
            {failed > 0 && (
              <strong className={styles.failures}>
                {' · '}
                <Plural value={failed} one="# failed" other="# failed" />
              </strong>
            )}
            {away > 0 && (
              <strong className={styles.away}>
                {' · '}
                <Plural value={away} one="# on an unavailable node" other="# on unavailable nodes" />
              </strong>
            )}
          </span>
        )}
        <div className={styles.actions}>
          {streams.length > 1 && (
            <Button
              aria-pressed={isChoosing}
              icon={<ListChecks size={16} aria-hidden="true" />}
              onClick={() => actor.send({ type: 'choice.toggled' })}
            >{t`Select cameras`}</Button>
          )}
          {isAdmin && value !== null && (
            <ButtonLink
              href={pathTo('planEdit', { id: value.plan.id })}
              icon={<Pencil size={16} aria-hidden="true" />}
            >{t`Edit`}</ButtonLink>
          )}
        </div>
      </div>
      <div className={styles.content}>
        <Resource value={value} apiError={apiError} onRetry={() => resource.send({ type: 'resource.retried' })}>
          {(shown) => <PlanContent actor={actor} shown={shown} />}
        </Resource>
      </div>
      {isChoosing && <Selection actor={actor} count={chosenOn(value, chosen).length} />}
    </div>
  )
}

function PlanContent({ actor, shown: { plan, picture } }: { actor: PageRef; shown: ShownPlan }) {
  const { t } = useLingui()
  const isAdmin = useApp(selectIsAdmin)
  if (plan.picture === '') {
    return (
      <StatePanel icon={<MapIcon size={20} />} title={t`This plan has no image yet`}>
        {isAdmin ? <Trans>Edit the plan to add an image and cameras.</Trans> : undefined}
      </StatePanel>
    )
  }
  if (picture === null) {
    return (
      <StatePanel icon={<MapIcon size={20} />} title={t`The image of the plan could not be loaded`} announce>
        <Trans>It is requested again every 10 seconds.</Trans>
      </StatePanel>
    )
  }
  return <Cameras actor={actor} plan={plan} file={picture.file} />
}

function Cameras({ actor, plan, file }: { actor: PageRef; plan: ShownPlan['plan']; file: Blob }) {
  const { t } = useLingui()
  const { previews, pointed, chosen } = useSelector(actor, selectContext)
  const settings = useApp(selectSettings)
  const isChoosing = useSelector(actor, selectIsChoosing)
  const list = useRef<HTMLUListElement>(null)
  const streams = useMemo(() => new Map((plan.streams ?? []).map((stream) => [stream.uid, stream])), [plan.streams])
  const shown = plan.cameras.flatMap((camera) => {
    const stream = streams.get(camera.streamId)
    return stream === undefined ? [] : [{ camera, stream }]
  })
  const aspect = plan.width / plan.height
  const press = (event: KeyboardEvent) => {
    const arrow = arrowOf(event.key, 1)
    const from = event.target instanceof HTMLElement ? event.target.dataset['uid'] : undefined
    if (arrow === undefined || from === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const next = cameraTowards(plan.cameras, from, arrow, aspect)
    if (next !== undefined) list.current?.querySelector<HTMLElement>(`[data-uid="${CSS.escape(next)}"]`)?.focus()
  }
  return (
    <PlanCanvas label={t`Plan`} picture={file} aspect={aspect}>
      <ul ref={list} className={marker.markers} aria-label={t`Cameras on the plan`} onKeyDown={press}>
        {shown.map(({ camera, stream }) => (
          <PlanMarker
            key={stream.uid}
            camera={camera}
            stream={stream}
            cluster={settings}
            previews={previews}
            isPointed={pointed === stream.uid}
            isChosen={chosen.has(stream.uid)}
            isChoosing={isChoosing}
            hasName={shown.length <= maxNames}
            onPoint={(isPointed) => {
              if (isPointed || actor.getSnapshot().context.pointed === stream.uid)
                actor.send({ type: 'camera.pointed', uid: isPointed ? stream.uid : null })
            }}
            onToggle={() => actor.send({ type: 'camera.toggled', uid: stream.uid })}
          />
        ))}
      </ul>
    </PlanCanvas>
  )
}

function Selection({ actor, count }: { actor: PageRef; count: number }) {
  const { t } = useLingui()
  const isOpening = useSelector(actor, selectIsOpening)
  const clear = () => actor.send({ type: 'choice.cleared' })
  return (
    <section
      className={styles.selection}
      aria-label={t`Selected cameras`}
      onKeyDown={({ key }) => key === 'Escape' && clear()}
    >
      <span role="status">
        {count === 0 ? (
          <Trans>Select the cameras on the plan.</Trans>
        ) : (
          <strong>
            <Plural value={count} one="# camera selected" other="# cameras selected" />
          </strong>
        )}
      </span>
      <div className={styles.actions}>
        <Button
          variant="primary"
          icon={<Grid2x2 size={16} aria-hidden="true" />}
          busy={isOpening}
          disabled={count === 0}
          onClick={() => actor.send({ type: 'mosaic.requested' })}
        >{t`Open as mosaic`}</Button>
        <Button
          variant="quiet"
          icon={<X size={16} aria-hidden="true" />}
          aria-label={t`Clear selection`}
          title={t`Clear selection`}
          onClick={clear}
        />
      </div>
    </section>
  )
}
