import { useCallback, useId, useMemo, useRef } from 'react'
import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Map as MapIcon, Pencil, Plus, Trash2 } from 'lucide-react'
import { Link } from 'wouter'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { Plan } from '../../api/contract/plans.ts'
import { titles } from '../../i18n/titles.ts'
import { selectIsAdmin } from '../../machines/app/app.selectors.ts'
import { pathTo } from '../../machines/app/routes.ts'
import type { newPlanForm, plansMachine } from '../../machines/plans/plans.machine.ts'
import { selectContext } from '../../machines/selectors.ts'
import { type PreviewsRef, selectPicture } from '../../machines/streams/streams.selectors.ts'
import { useApp } from '../app/console.ts'
import { Form, useForm } from '../form/Form.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import people from '../people/people.module.css'
import { percent } from '../ui/box-style.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { TextField } from '../ui/Field.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Page } from '../ui/Page.tsx'
import { Resource } from '../ui/Resource.tsx'
import { StatePanel } from '../ui/State.tsx'
import { useInSight } from '../ui/use-in-sight.ts'
import styles from './Plans.module.css'

type PageRef = ActorRefFrom<typeof plansMachine>
type Snapshot = SnapshotFrom<typeof plansMachine>

const selectForm = ({ children }: Snapshot) => children.form
const selectIsAsking = (snapshot: Snapshot) => snapshot.matches('confirming')

export function PlansPage({ actor }: { actor: PageRef }) {
  const { t } = useLingui()
  const { list, pictures, chosen } = useSelector(actor, selectContext)
  const form = useSelector(actor, selectForm)
  const isAsking = useSelector(actor, selectIsAsking)
  const { value, apiError } = useSelector(list, ({ context }) => context)
  const isAdmin = useApp(selectIsAdmin)
  const title = chosen?.title || (chosen?.id ?? '')
  return (
    <Page
      title={t(titles.plans)}
      note={value !== null && <Plural value={value.length} one="# plan" other="# plans" />}
      actions={
        isAdmin && (
          <Button
            variant="primary"
            icon={<Plus size={16} aria-hidden="true" />}
            onClick={() => actor.send({ type: 'add.requested' })}
          >{t`Add floor plan`}</Button>
        )
      }
    >
      <Resource value={value} apiError={apiError} onRetry={() => list.send({ type: 'resource.retried' })}>
        {(plans) =>
          plans.length === 0 ? (
            <StatePanel icon={<MapIcon size={20} />} title={t`No floor plans yet`}>
              {isAdmin ? (
                <Trans>
                  A floor plan shows where cameras are and whether they work. Add one with an image of a floor.
                </Trans>
              ) : (
                <Trans>Plans with a camera that you may watch appear here. Administrators add them.</Trans>
              )}
            </StatePanel>
          ) : (
            <Cards actor={actor} plans={plans} pictures={pictures} isAdmin={isAdmin} />
          )
        }
      </Resource>
      {form !== undefined && <AddPlan form={form} onClose={() => actor.send({ type: 'dialog.closed' })} />}
      {isAsking && (
        <ConfirmDialog
          title={t`Delete the floor plan ${title}?`}
          confirmLabel={t`Delete`}
          onConfirm={() => actor.send({ type: 'delete.confirmed' })}
          onCancel={() => actor.send({ type: 'dialog.closed' })}
        >
          <Trans>Its image and the positions of cameras on it are deleted for everybody. The cameras stay.</Trans>
        </ConfirmDialog>
      )}
    </Page>
  )
}

interface CardsProps {
  actor: PageRef
  plans: readonly Plan[]
  pictures: PreviewsRef
  isAdmin: boolean
}

function Cards({ actor, plans, pictures, isAdmin }: CardsProps) {
  const { t } = useLingui()
  const list = useRef<HTMLUListElement>(null)
  const request = useCallback(
    (inSight: readonly Plan[]) => {
      const withPicture = inSight.filter(({ picture }) => picture !== '')
      pictures.send({
        type: 'previews.requested',
        subjects: withPicture.map(({ id }) => ({ uid: id, isMoving: false })),
      })
    },
    [pictures],
  )
  useInSight(list, plans, request)
  return (
    <ul ref={list} className={styles.list}>
      {plans.map((plan) => (
        <li key={plan.id} className={styles.card}>
          <Miniature plan={plan} pictures={pictures} />
          <Link href={pathTo('plan', { id: plan.id })} className={styles.open}>
            {plan.title || plan.id}
          </Link>
          <span className={styles.note}>
            <Plural value={plan.cameras.length} one="# camera" other="# cameras" />
          </span>
          {isAdmin && (
            <div className={styles.actions}>
              <Link
                href={pathTo('planEdit', { id: plan.id })}
                className={styles.edit}
                aria-label={t`Edit ${plan.title || plan.id}`}
              >
                <Pencil size={16} aria-hidden="true" />
              </Link>
              <IconButton
                label={t`Delete ${plan.title || plan.id}`}
                icon={<Trash2 size={16} />}
                onPress={() => actor.send({ type: 'delete.requested', plan })}
              />
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

function Miniature({ plan, pictures }: { plan: Plan; pictures: PreviewsRef }) {
  const url = useSelector(
    pictures,
    useMemo(() => selectPicture(plan.id), [plan.id]),
  )
  const aspect = plan.width / plan.height
  return (
    <span className={styles.miniature} aria-hidden="true">
      {url === undefined ? (
        <MapIcon size={24} className={styles.placeholder} />
      ) : (
        <span className={styles.sheet} style={{ aspectRatio: aspect, width: `min(100cqw, calc(100cqh * ${aspect}))` }}>
          <img src={url} alt="" />
          {plan.cameras.map(({ streamId, x, y }) => (
            <span key={streamId} className={styles.dot} style={{ left: percent(x), top: percent(y) }} />
          ))}
        </span>
      )}
    </span>
  )
}

function AddPlan({ form, onClose }: { form: ActorRefFrom<typeof newPlanForm>; onClose: () => void }) {
  const { t } = useLingui()
  const id = useId()
  const { isBusy, text } = useForm(form)
  return (
    <FormDialog title={t`Add floor plan`} form={id} submitLabel={t`Add`} isBusy={isBusy} onClose={onClose}>
      <Form form={form} id={id} className={people.form} focusFirst>
        <TextField label={t`Title`} autoComplete="off" maxLength={200} {...text('title')} />
      </Form>
    </FormDialog>
  )
}
