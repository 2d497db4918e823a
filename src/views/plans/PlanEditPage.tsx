import { type KeyboardEvent, useEffect, useId, useMemo, useRef } from 'react'
import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { FileUp, Undo2 } from 'lucide-react'
import { Link } from 'wouter'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { titles } from '../../i18n/titles.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { isUndo } from '../../machines/keyboard/bindings.ts'
import type { KnownPlan, planEditMachine } from '../../machines/plans/plan-edit.machine.ts'
import { afterCameraStroke } from '../../machines/plans/plan-shapes.ts'
import type { PictureProblem, planForm } from '../../machines/plans/plan-values.ts'
import { selectIsDirty } from '../../machines/form/form.selectors.ts'
import { selectContext } from '../../machines/selectors.ts'
import { Form, useFormState } from '../form/Form.tsx'
import { SaveButtons } from '../form/SaveButtons.tsx'
import { ListSkeleton } from '../people/parts.tsx'
import { TextField } from '../ui/Field.tsx'
import { FileDrop } from '../ui/FileDrop.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Page, Panel } from '../ui/Page.tsx'
import { Refused } from '../ui/Resource.tsx'
import { EditCanvas } from './EditCanvas.tsx'
import { CameraList, CameraPanel, PictureField } from './EditPanels.tsx'
import plan from './Plan.module.css'
import styles from './PlanEdit.module.css'

type PageRef = ActorRefFrom<typeof planEditMachine>
type FormRef = ActorRefFrom<typeof planForm>
type Snapshot = SnapshotFrom<typeof planEditMachine>

const selectIsReading = (snapshot: Snapshot) => snapshot.matches({ open: { picture: 'reading' } })

export function PlanEditPage({ actor }: { actor: PageRef }) {
  const { t } = useLingui()
  const { known, form, apiError } = useSelector(actor, selectContext)
  if (known !== null && form !== null) return <EditedPlan actor={actor} form={form} known={known} />
  return (
    <Page title={t(titles.editPlan)}>
      {apiError === null ? (
        <ListSkeleton rows={6} />
      ) : (
        <Refused apiError={apiError} onRetry={() => actor.send({ type: 'plan.retried' })} />
      )}
    </Page>
  )
}

/** New cameras beside the middle of the plan, so that they don't cover each other. */
const freePoint = (count: number) => ({
  x: 0.5 + ((count % 5) - 2) * 0.06,
  y: 0.5 + ((Math.floor(count / 5) % 5) - 2) * 0.08,
})

function useProblemWords(): (problem: PictureProblem) => string {
  const { t } = useLingui()
  return (problem) =>
    problem === 'tooManyBytes'
      ? t`This file is too large: choose an image of at most 4 MB`
      : problem === 'tooManyPixels'
        ? t`This image has too many pixels`
        : t`Choose a PNG, JPEG or WebP image`
}

function EditedPlan({ actor, form, known }: { actor: PageRef; form: FormRef; known: KnownPlan }) {
  const { t } = useLingui()
  const id = useId()
  const problemWords = useProblemWords()
  const { past, chosen, stroke, pictureProblem } = useSelector(actor, selectContext)
  const isReading = useSelector(actor, selectIsReading)
  const { errors, isBusy, errorOf } = useFormState(form)
  const { values, saved } = useSelector(form, selectContext)
  const isChanged = useSelector(form, selectIsDirty)
  const editor = useRef<HTMLDivElement>(null)
  const added = useRef<string | null>(null)
  const cameras = useMemo(() => afterCameraStroke(values.cameras, stroke), [values.cameras, stroke])
  const names = useMemo(() => new Map(known.streams.map(({ uid, name }) => [uid, name])), [known.streams])
  const nameOf = (uid: string) => names.get(uid) || uid
  const camera = cameras.find(({ streamId }) => streamId === chosen)
  const picture = values.picture?.file ?? known.picture
  const { width, height } = values.picture ?? known.plan
  const cameraError = Object.keys(errors).find((path) => path === 'cameras' || path.startsWith('cameras.'))

  useEffect(() => {
    if (added.current === null) return
    editor.current?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(added.current)}"]`)?.focus()
    added.current = null
  })

  const add = (uid: string) => {
    added.current = uid
    actor.send({ type: 'camera.changed', change: { kind: 'add', uid, at: freePoint(values.cameras.length) } })
  }
  /** The change can be undone. The reset also clears errors, and the note that a draft was restored. */
  const discard = () => {
    actor.send({ type: 'changes.discarded' })
    form.send({ type: 'form.reset', values: saved })
  }
  /** The change removes the focused element: moves the focus to the plan. */
  const remove = (uid: string) => {
    editor.current?.querySelector<HTMLElement>('[data-plan-frame]')?.focus()
    actor.send({ type: 'camera.changed', change: { kind: 'remove', uid } })
  }
  const press = (event: KeyboardEvent) => {
    const isText = event.target instanceof HTMLInputElement && event.target.type !== 'checkbox'
    if (event.key === 'Escape' && stroke !== null) actor.send({ type: 'stroke.cancelled' })
    else if (isUndo(event) && !isText) actor.send({ type: 'change.undone' })
    else return
    event.preventDefault()
  }
  return (
    <div ref={editor} className={plan.screen} role="presentation" onKeyDown={press}>
      <div className={plan.bar}>
        <h1 className={plan.title}>
          <Link href={pathTo('plan', { id: saved.id })}>{saved.title || saved.id}</Link>
        </h1>
        <span className={plan.note} role="status">
          {isChanged && !isBusy && t`Not saved yet`}
        </span>
        <div className={plan.actions}>
          <IconButton
            label={t`Undo`}
            shortcut="Ctrl Z"
            icon={<Undo2 size={16} />}
            disabled={past.length === 0}
            onPress={() => actor.send({ type: 'change.undone' })}
          />
          <SaveButtons form={id} isBusy={isBusy} isChanged={isChanged} onDiscard={discard} />
        </div>
      </div>
      <div className={styles.editor}>
        {picture === null ? (
          <FileDrop className={styles.drop} onFile={(file) => actor.send({ type: 'picture.chosen', file })}>
            <FileUp size={32} aria-hidden="true" />
            <p>
              <Trans>Drop an image of the floor plan here, or choose a file.</Trans>
            </p>
          </FileDrop>
        ) : (
          <EditCanvas
            actor={actor}
            picture={picture}
            aspect={width > 0 && height > 0 ? width / height : 1}
            cameras={cameras}
            chosen={chosen}
            nameOf={nameOf}
            onRemove={remove}
          />
        )}
        <div className={styles.panels}>
          <Panel>
            <Form form={form} id={id} className={styles.fields}>
              <TextField
                label={t`Title`}
                name="title"
                autoComplete="off"
                maxLength={200}
                value={values.title}
                error={errorOf('title')}
                onChange={(title) => form.send({ type: 'form.edited', values: { title } })}
              />
              <PictureField
                actor={actor}
                isBusy={isReading}
                error={pictureProblem === null ? errorOf('picture') : problemWords(pictureProblem)}
              />
            </Form>
          </Panel>
          {picture !== null && camera !== undefined && (
            <CameraPanel
              actor={actor}
              camera={camera}
              name={nameOf(camera.streamId)}
              onRemove={() => remove(camera.streamId)}
            />
          )}
          {picture !== null && (
            <CameraList
              actor={actor}
              known={known}
              cameras={values.cameras}
              chosen={chosen}
              error={cameraError === undefined ? undefined : errorOf(cameraError)}
              onAdd={add}
            />
          )}
        </div>
      </div>
    </div>
  )
}
