import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Check, Plus, Trash2 } from 'lucide-react'
import type { ActorRefFrom } from 'xstate'
import type { PlanCamera } from '../../api/contract/plans.ts'
import { formatNumber } from '../../i18n/formats.ts'
import { isPlaced, maxPlanCameras, defaultFieldOfView } from '../../machines/plans/plan-shapes.ts'
import type { KnownPlan, planEditMachine } from '../../machines/plans/plan-edit.machine.ts'
import { streamsFound } from '../../machines/plans/plan-values.ts'
import { acceptedPictures } from '../../machines/plans/plan-values.ts'
import { Button } from '../ui/Button.tsx'
import { CheckField } from '../ui/Field.tsx'
import { ChooseFile } from '../ui/FileDrop.tsx'
import { Panel } from '../ui/Page.tsx'
import { SearchBox } from '../ui/SearchBox.tsx'
import { dragStream } from '../ui/dragged-stream.ts'
import { AngleField } from './AngleField.tsx'
import styles from './PlanEdit.module.css'

type PageRef = ActorRefFrom<typeof planEditMachine>

/** The search narrows a longer list. */
const maxListed = 100

interface CameraPanelProps {
  actor: PageRef
  camera: PlanCamera
  name: string
  onRemove: () => void
}

/** Direction and field of view of the selected camera. */
export function CameraPanel({ actor, camera, name, onRemove }: CameraPanelProps) {
  const { t } = useLingui()
  const { streamId: uid, direction, fieldOfView } = camera
  const aim = (change: { direction?: number | null; fieldOfView?: number | null }) =>
    actor.send({
      type: 'camera.changed',
      change: {
        kind: 'aim',
        uid,
        aim: { direction: direction ?? null, fieldOfView: fieldOfView ?? null, ...change },
      },
    })
  return (
    <Panel title={name}>
      <CheckField
        label={t`Show direction`}
        checked={direction !== undefined}
        onChange={(isShown) => aim({ direction: isShown ? 0 : null })}
      />
      {direction !== undefined && (
        <div className={styles.angles}>
          <AngleField
            label={t`Direction, degrees`}
            // Beyond 0 and 359, so that the arrows of the field go round.
            min={-1}
            max={360}
            step={5}
            degrees={direction}
            onChange={(degrees) => aim({ direction: degrees })}
          />
          <AngleField
            label={t`Field of view, degrees`}
            min={1}
            max={360}
            step={1}
            degrees={fieldOfView ?? defaultFieldOfView}
            onChange={(degrees) => aim({ fieldOfView: degrees })}
          />
        </div>
      )}
      <p className={styles.note}>
        <Trans>0° is up. Arrow keys move the camera, [ and ] turn it.</Trans>
      </p>
      <div>
        <Button icon={<Trash2 size={16} aria-hidden="true" />} onClick={onRemove}>{t`Remove from the plan`}</Button>
      </div>
    </Panel>
  )
}

interface CameraListProps {
  actor: PageRef
  known: KnownPlan
  cameras: readonly PlanCamera[]
  chosen: string | null
  error: string | undefined
  onAdd: (uid: string) => void
}

/** All cameras by name: those on the plan are selected there, others are added by a click or dragged onto the plan. */
export function CameraList({ actor, known, cameras, chosen, error, onAdd }: CameraListProps) {
  const { t } = useLingui()
  const searched = useSelector(actor, ({ context }) => context.searched)
  const found = streamsFound(known, searched)
  const isFull = cameras.length >= maxPlanCameras
  const [count, all] = [formatNumber(maxListed), formatNumber(found.length)]
  return (
    <Panel title={t`Cameras`} actions={<span className={styles.note}>{t`${cameras.length} on the plan`}</span>}>
      <SearchBox
        label={t`Search cameras`}
        value={searched}
        onChange={(text) => actor.send({ type: 'search.changed', searched: text })}
      />
      {error !== undefined && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      {found.length === 0 ? (
        <p className={styles.note} role="status">
          <Trans>No matches</Trans>
        </p>
      ) : (
        <ul className={styles.cameras}>
          {found.slice(0, maxListed).map(({ uid, name }) => {
            const isOn = isPlaced(cameras, uid)
            const shown = name || uid
            return (
              <li key={uid}>
                <button
                  type="button"
                  className={styles.camera}
                  aria-label={isOn ? t`${shown}, on the plan` : t`Add ${shown} to the plan`}
                  aria-pressed={isOn ? uid === chosen : undefined}
                  title={shown}
                  disabled={!isOn && isFull}
                  draggable={!isOn && !isFull}
                  onDragStart={(event) => dragStream(event, uid)}
                  onClick={() => (isOn ? actor.send({ type: 'camera.chosen', uid }) : onAdd(uid))}
                >
                  <span className={styles.cameraName}>{shown}</span>
                  {isOn ? <Check size={16} aria-hidden="true" /> : <Plus size={16} aria-hidden="true" />}
                </button>
              </li>
            )
          })}
        </ul>
      )}
      {found.length > maxListed && (
        <p className={styles.note}>{t`Showing ${count} of ${all}. Search to find the others.`}</p>
      )}
      {isFull && (
        <p className={styles.note}>
          <Plural value={maxPlanCameras} one="A plan has at most # camera." other="A plan has at most # cameras." />
        </p>
      )}
    </Panel>
  )
}

interface PictureFieldProps {
  actor: PageRef
  isBusy: boolean
  error: string | undefined
}

/** Selects the image of the plan, which may also be dropped on the plan. */
export function PictureField({ actor, isBusy, error }: PictureFieldProps) {
  const { t } = useLingui()
  return (
    <div className={styles.image} role="group" aria-label={t`Image`} aria-busy={isBusy || undefined}>
      <ChooseFile
        accept={acceptedPictures}
        disabled={isBusy}
        onFile={(file) => actor.send({ type: 'picture.chosen', file })}
      />
      <p className={styles.note}>
        <Trans>PNG, JPEG or WebP, up to 4 MB. Cameras keep their positions when the image is replaced.</Trans>
      </p>
      {error !== undefined && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
