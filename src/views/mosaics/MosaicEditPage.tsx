import { type KeyboardEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Undo2 } from 'lucide-react'
import type { ActorRefFrom } from 'xstate'
import { isUndo } from '../../machines/keyboard/bindings.ts'
import { type Grid, grown, namedTiles, presets, refitted } from '../../machines/mosaics/mosaic-grid.ts'
import type {
  mosaicEditMachine,
  mosaicFormMachine,
  streamChoiceMachine,
} from '../../machines/mosaics/mosaic-edit.machine.ts'
import { selectContext } from '../../machines/selectors.ts'
import { Form, useFormState } from '../form/Form.tsx'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { Page, Panel } from '../ui/Page.tsx'
import { Resource } from '../ui/Resource.tsx'
import { dragStream } from '../ui/dragged-stream.ts'
import { GridEditor } from './GridEditor.tsx'
import { TileTools } from './TileTools.tsx'
import styles from './MosaicEdit.module.css'

type Actor = ActorRefFrom<typeof mosaicEditMachine>
type FormActor = ActorRefFrom<typeof mosaicFormMachine>
type StreamChoiceRef = ActorRefFrom<typeof streamChoiceMachine>

export function MosaicEditPage({ actor }: { actor: Actor }) {
  const { t } = useLingui()
  const { id, form, streamChoice, apiError } = useSelector(actor, selectContext)
  return (
    <Page title={id === '' ? t`Create mosaic` : t`Edit mosaic`}>
      <Resource value={form} apiError={apiError} onRetry={() => actor.send({ type: 'mosaic.retried' })}>
        {(open) => (streamChoice === null ? null : <Editor actor={actor} form={open} streamChoice={streamChoice} />)}
      </Resource>
    </Page>
  )
}

function Editor({ actor, form, streamChoice }: { actor: Actor; form: FormActor; streamChoice: StreamChoiceRef }) {
  const { t } = useLingui()
  const { values, isBusy, errorOf } = useFormState(form)
  const { past, names } = useSelector(actor, selectContext)
  const streams = useSelector(streamChoice, ({ context }) => context.value)
  const [chosen, setChosen] = useState<string | null>(null)
  const change = (grid: Grid) => {
    if (grid !== values) actor.send({ type: 'grid.changed', grid })
  }
  const undo = () => actor.send({ type: 'grid.undone' })
  const add = (uid: string) => {
    const next = grown(values, uid)
    change(next)
    setChosen(namedTiles(next).at(-1)?.name ?? null)
  }
  /** The undone change may remove the focused element: the grid takes the focus, so that the next key undoes, too. */
  const undoByKey = (tiles: HTMLElement) => {
    flushSync(undo)
    if (!tiles.contains(document.activeElement)) tiles.querySelector<HTMLElement>('[role="group"]')?.focus()
  }
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape' && chosen !== null) setChosen(null)
    else if (isUndo(event)) undoByKey(event.currentTarget)
    else return
    event.preventDefault()
  }
  const nameOf = (uid: string) => (names.get(uid) ?? streams?.find((stream) => stream.uid === uid)?.name) || uid
  return (
    <Form form={form} className={styles.editor}>
      <div className={styles.head}>
        <TextField
          label={t`Name`}
          name="name"
          value={values.name}
          error={errorOf('name')}
          onChange={(name) => form.send({ type: 'form.edited', values: { name } })}
        />
        <fieldset className={styles.presets}>
          <legend>{t`Layout`}</legend>
          {presets.map(({ columns, rows }) => (
            <button
              key={`${columns}×${rows}`}
              type="button"
              className={styles.preset}
              aria-pressed={values.columns === columns && values.rows === rows}
              aria-label={t`${columns} by ${rows}`}
              onClick={() => change(refitted(values, { columns, rows }))}
            >
              <span style={{ gridTemplate: `repeat(${rows}, 1fr) / repeat(${columns}, 1fr)` }} aria-hidden="true">
                {Array.from({ length: columns * rows }, (_, index) => (
                  <i key={index} />
                ))}
              </span>
              {columns * rows}
            </button>
          ))}
        </fieldset>
        <Button
          icon={<Undo2 size={16} aria-hidden="true" />}
          title="Ctrl Z"
          disabled={past.length === 0}
          onClick={undo}
        >{t`Undo`}</Button>
      </div>
      {errorOf('cells') !== undefined && (
        <p className={styles.error} role="alert">
          {errorOf('cells')}
        </p>
      )}
      <div className={styles.body}>
        <div className={styles.tiles} role="presentation" onKeyDown={press}>
          <GridEditor grid={values} chosen={chosen} nameOf={nameOf} onChoose={setChosen} onChange={change} />
          <TileTools
            grid={values}
            tile={namedTiles(values).find(({ name }) => name === chosen)?.tile}
            nameOf={nameOf}
            onChange={change}
          />
        </div>
        <StreamChoice streamChoice={streamChoice} isFull={grown(values, '') === values} onAdd={add} />
      </div>
      <div className={styles.foot}>
        <Button type="submit" variant="primary" busy={isBusy}>{t`Save`}</Button>
        <span>
          <Plural value={values.cells.length} one="# camera" other="# cameras" />
        </span>
      </div>
    </Form>
  )
}

function StreamChoice({
  streamChoice,
  isFull,
  onAdd,
}: {
  streamChoice: StreamChoiceRef
  isFull: boolean
  onAdd: (uid: string) => void
}) {
  const { t } = useLingui()
  const { value, apiError, query } = useSelector(streamChoice, ({ context }) => context)
  return (
    <Panel title={t`Cameras`}>
      <TextField
        label={t`Search streams`}
        type="search"
        maxLength={200}
        value={query.words}
        onChange={(words) => streamChoice.send({ type: 'query.changed', query: { words } })}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <Resource value={value} apiError={apiError} onRetry={() => streamChoice.send({ type: 'resource.retried' })}>
        {(streams) =>
          streams.length === 0 ? (
            <p className={styles.quiet}>
              <Trans>No matching cameras.</Trans>
            </p>
          ) : (
            <ul className={styles.palette}>
              {streams.map(({ uid, name }) => (
                <li key={uid}>
                  <button
                    type="button"
                    className={styles.stream}
                    draggable
                    disabled={isFull}
                    aria-label={t`Add ${name || uid}`}
                    onDragStart={(event) => dragStream(event, uid)}
                    onClick={() => onAdd(uid)}
                  >
                    {name || uid}
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Resource>
    </Panel>
  )
}
