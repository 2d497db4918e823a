import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import { CircleAlert, CircleDashed } from 'lucide-react'
import { Link } from 'wouter'
import type { Camera, FoundCamera } from '../../api/contract/onvif.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { areAllChosen, type CameraOutcome, connectedOutcomeOf } from '../../machines/stream-pages/found-cameras.ts'
import { cameraName, chooseProfiles, modelOf } from '../../machines/stream-pages/camera-sources.ts'
import { codecName } from '../../machines/stream-pages/codec-names.ts'
import { selectContext } from '../../machines/selectors.ts'
import { BlobPicture } from '../stream-pages/BlobPicture.tsx'
import { useProbeApiError } from '../stream-pages/words.ts'
import { CheckField } from '../ui/Field.tsx'
import { type Column, Table } from '../ui/Table.tsx'
import { type FindCamerasRef, selectIsQuerying } from './find-cameras-ref.ts'
import outcomes from './BatchForm.module.css'
import styles from './FindCameras.module.css'

/** The cameras to select, and the result for each one that was connected to. */
export function FoundCameras({ actor }: { actor: FindCamerasRef }) {
  const { t } = useLingui()
  const context = useSelector(actor, selectContext)
  const isQuerying = useSelector(actor, selectIsQuerying)
  const { cameras, chosen, queue, pictures } = context
  const cameraOf = (id: string) => connectedOutcomeOf(context, id)?.camera
  const columns: readonly Column<FoundCamera>[] = [
    {
      id: 'camera',
      label: t`Camera`,
      render: (found) => (
        <span className={styles.camera}>
          <CheckField
            label={cameraName(found, cameraOf(found.id))}
            checked={chosen.includes(found.id)}
            onChange={() => actor.send({ type: 'camera.toggled', id: found.id })}
          />
          <Model found={found} camera={cameraOf(found.id)} />
        </span>
      ),
    },
    {
      id: 'address',
      label: t`Address`,
      render: ({ address, host }) => (
        <code className={outcomes.source} title={address}>
          {host}
        </code>
      ),
    },
    ...(cameras.some(({ streams }) => streams.length > 0)
      ? [{ id: 'added', label: t`Streams`, render: ({ streams }: FoundCamera) => <Added streams={streams} /> }]
      : []),
    {
      id: 'result',
      label: t`Result`,
      render: ({ id }) => (
        <Outcome
          outcome={context.outcomes[id]}
          picture={pictures[id] ?? null}
          isCurrent={isQuerying && queue[0] === id}
          isWaiting={isQuerying && queue.includes(id) && context.chosen.includes(id)}
        />
      ),
    },
  ]
  return (
    <>
      <CheckField
        label={t`Select all`}
        checked={areAllChosen(context)}
        onChange={() => actor.send({ type: 'cameras.toggled' })}
      />
      <Table label={t`Cameras`} columns={columns} rows={cameras} keyOf={({ id }) => id} />
    </>
  )
}

/** The model and location, unless they are the camera's name. */
function Model({ found, camera }: { found: FoundCamera; camera: Camera | undefined }) {
  const name = cameraName(found, camera)
  const model = camera === undefined ? found.model : modelOf(camera)
  const known = [model, found.location].filter((text) => text !== '' && text !== name).join(', ')
  return known !== '' && <span className={styles.model}>{known}</span>
}

function Added({ streams }: { streams: FoundCamera['streams'] }) {
  return (
    <span className={styles.added}>
      {streams.map(({ uid, name }) => (
        <Link key={uid} href={pathTo('streamView', { uid })}>
          {name || uid}
        </Link>
      ))}
    </span>
  )
}

interface OutcomeProps {
  outcome: CameraOutcome | undefined
  picture: Blob | null
  isCurrent: boolean
  isWaiting: boolean
}

function Outcome({ outcome, picture, isCurrent, isWaiting }: OutcomeProps) {
  const { t } = useLingui()
  const apiErrorWords = useProbeApiError()
  if (isCurrent || isWaiting) {
    return (
      <span className={outcomes.outcome} aria-busy={isCurrent || undefined}>
        <CircleDashed size={16} aria-hidden="true" />
        {isCurrent ? t`Connecting` : t`Waiting`}
      </span>
    )
  }
  if (outcome === undefined) return null
  if (!outcome.isConnected) {
    return (
      <span className={outcomes.bad}>
        <CircleAlert size={16} aria-hidden="true" />
        {apiErrorWords(outcome.apiError)}
      </span>
    )
  }
  const { main, substream } = chooseProfiles(outcome.camera)
  return (
    <span className={styles.known}>
      {picture !== null && <BlobPicture picture={picture} alt="" className={styles.picture} />}
      <span className={styles.profiles}>
        {main !== undefined && <Profile label={t`Main stream`} profile={main} />}
        {substream !== undefined && <Profile label={t`Substream`} profile={substream} />}
      </span>
    </span>
  )
}

interface ProfileProps {
  label: string
  profile: { codec: string; width: number; height: number }
}

const Profile = ({ label, profile: { codec, width, height } }: ProfileProps) => (
  <span>
    {label}: {codecName(codec)}, {width}×{height}
  </span>
)
