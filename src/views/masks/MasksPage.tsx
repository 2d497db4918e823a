import { type KeyboardEvent, useMemo, useRef } from 'react'
import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Plus, Settings, Trash2, Undo2 } from 'lucide-react'
import type { ActorRefFrom } from 'xstate'
import { pathTo } from '../../machines/app/routes.ts'
import { isUndo } from '../../machines/keyboard/bindings.ts'
import { afterStroke, maxMasks } from '../../machines/masks/mask-shapes.ts'
import type { masksMachine } from '../../machines/masks/masks.machine.ts'
import { selectIsDirty } from '../../machines/form/form.selectors.ts'
import { selectContext, selectIsBusy } from '../../machines/selectors.ts'
import { Form } from '../form/Form.tsx'
import { SubmitRow } from '../stream-pages/SubmitRow.tsx'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Page, Panel } from '../ui/Page.tsx'
import { MaskCanvas } from './MaskCanvas.tsx'
import { useMaskWords } from './mask-words.ts'
import styles from './Masks.module.css'

export function MasksPage({ actor }: { actor: ActorRefFrom<typeof masksMachine> }) {
  const { t } = useLingui()
  const { nameOf, numbersOf } = useMaskWords()
  const { form, picture, past, chosen, stroke } = useSelector(actor, selectContext)
  const { values, saved } = useSelector(form, selectContext)
  const isBusy = useSelector(form, selectIsBusy)
  const isChanged = useSelector(form, selectIsDirty)
  const editor = useRef<HTMLDivElement>(null)
  const masks = useMemo(
    () => (stroke === null ? values.masks : afterStroke(values.masks, stroke)),
    [values.masks, stroke],
  )
  const shown = chosen === null ? undefined : masks[chosen]

  /** The change removes the focused element: moves the focus to another mask, or else to the button that adds one. */
  const remove = (index: number) => {
    const next = masks.length === 1 ? '[data-add]' : `[data-handle="${Math.max(0, index - 1)}"]`
    editor.current?.querySelector<HTMLElement>(next)?.focus()
    actor.send({ type: 'mask.removed', index })
  }
  /** The change can be undone. The reset also clears errors, and the note that a draft was restored. */
  const discard = () => {
    actor.send({ type: 'changes.discarded' })
    form.send({ type: 'form.reset', values: saved })
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && stroke !== null) actor.send({ type: 'stroke.cancelled' })
    else if (isUndo(event)) actor.send({ type: 'change.undone' })
    else return
    event.preventDefault()
  }
  return (
    <Page
      title={t`Privacy masks`}
      note={<Plural value={masks.length} one="# mask" other="# masks" />}
      actions={
        <ButtonLink
          href={pathTo('streamSettings', { uid: values.uid })}
          icon={<Settings size={16} aria-hidden="true" />}
        >{t`Stream settings`}</ButtonLink>
      }
    >
      <p className={styles.note}>
        <Trans>
          Masks are burned into previews, exports, downloads and what shared links show. In the player and on mosaics
          they lie over the picture: users who may watch the stream can still get its video from the server without
          them.
        </Trans>
      </p>
      <Form form={form} className={styles.form}>
        <div ref={editor} className={styles.editor} role="presentation" onKeyDown={press}>
          <div className={styles.drawing}>
            <MaskCanvas actor={actor} picture={picture} masks={masks} chosen={chosen} onRemove={remove} />
            <p className={styles.note} role="status">
              {chosen !== null && shown !== undefined
                ? `${nameOf(chosen)}: ${numbersOf(shown)}`
                : t`Drag over the picture to draw a mask. The picture is shown here without the saved masks.`}
            </p>
          </div>
          <Panel title={t`Masks`}>
            <div className={styles.tools}>
              <Button
                data-add
                icon={<Plus size={16} aria-hidden="true" />}
                disabled={masks.length >= maxMasks}
                onClick={() => actor.send({ type: 'mask.added' })}
              >{t`Add mask`}</Button>
              <Button
                variant="quiet"
                icon={<Undo2 size={16} aria-hidden="true" />}
                title="Ctrl Z"
                disabled={past.length === 0}
                onClick={() => actor.send({ type: 'change.undone' })}
              >{t`Undo`}</Button>
            </div>
            {masks.length === 0 ? (
              <p className={styles.note}>
                <Trans>No masks yet: the whole picture is shown.</Trans>
              </p>
            ) : (
              <ol className={styles.list}>
                {masks.map((mask, index) => (
                  <li key={index} className={styles.row} data-chosen={index === chosen || undefined}>
                    <button
                      type="button"
                      className={styles.choose}
                      aria-pressed={index === chosen}
                      onClick={() => actor.send({ type: 'mask.chosen', index })}
                    >
                      <strong>{nameOf(index)}</strong>
                      <span className={styles.note}>{numbersOf(mask)}</span>
                    </button>
                    <IconButton
                      label={t`Remove mask ${index + 1}`}
                      icon={<Trash2 size={16} />}
                      onPress={() => remove(index)}
                    />
                  </li>
                ))}
              </ol>
            )}
            {masks.length >= maxMasks && (
              <p className={styles.note}>
                <Trans>A stream has at most {maxMasks} masks.</Trans>
              </p>
            )}
          </Panel>
        </div>
        <SubmitRow isBusy={isBusy} isChanged={isChanged} onDiscard={discard} />
      </Form>
    </Page>
  )
}
