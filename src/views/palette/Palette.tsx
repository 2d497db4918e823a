import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Search } from 'lucide-react'
import { apiErrorText } from '../../i18n/errors.ts'
import { commandOf, paletteKeys } from '../../machines/keyboard/bindings.ts'
import {
  type PaletteRef,
  areSame,
  selectIsBusy,
  selectIsOpen,
  selectMarked,
  selectOffered,
  selectScope,
  selectQuery,
  selectApiError,
} from '../../machines/palette/palette.selectors.ts'
import { Button } from '../ui/Button.tsx'
import { PlainDialog } from '../ui/Dialog.tsx'
import { Choices } from './Choices.tsx'
import styles from './Palette.module.css'

export function Palette({ actor }: { actor: PaletteRef }) {
  const { t } = useLingui()
  const isOpen = useSelector(actor, selectIsOpen)
  return (
    <PlainDialog label={t`Go to…`} isOpen={isOpen} onClose={() => actor.send({ type: 'palette.dismissed' })}>
      <div className={styles.palette} data-palette="">
        <Finder actor={actor} />
      </div>
    </PlainDialog>
  )
}

const idOf = (listId: string, choice: string) => `${listId}-${encodeURIComponent(choice)}`

function Finder({ actor }: { actor: PaletteRef }) {
  const { t } = useLingui()
  const listId = useId()
  const query = useSelector(actor, selectQuery)
  const scope = useSelector(actor, selectScope)
  const offered = useSelector(actor, selectOffered, areSame)
  const marked = useSelector(actor, selectMarked)
  const isBusy = useSelector(actor, selectIsBusy)
  const hasArchive = scope !== null && (scope.stream ?? scope.mosaic) !== null
  const isBlank = query.trim() === ''
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => box.current?.focus(), [])
  useEffect(() => {
    document.querySelector(`[id="${idOf(listId, marked)}"]`)?.scrollIntoView?.({ block: 'nearest' })
  }, [listId, marked])
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const command = commandOf(paletteKeys, event.key)
    if (command === undefined) return
    actor.send(command === 'open' ? { type: 'choice.taken' } : { type: 'choice.moved', to: command })
    event.preventDefault()
  }
  return (
    <>
      <div className={styles.field}>
        <Search size={16} aria-hidden="true" />
        <input
          className={styles.input}
          role="combobox"
          aria-label={t`Where to go`}
          aria-autocomplete="list"
          aria-expanded={offered.length > 0}
          aria-controls={listId}
          aria-activedescendant={marked === '' ? undefined : idOf(listId, marked)}
          aria-busy={isBusy}
          ref={box}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
          placeholder={hasArchive ? t`Stream or time: yesterday 14:05` : t`Stream, mosaic, user or page`}
          value={query}
          onChange={({ target }) => actor.send({ type: 'query.edited', query: target.value })}
          onKeyDown={press}
        />
        <kbd className={styles.key}>Esc</kbd>
      </div>
      <Choices
        actor={actor}
        listId={listId}
        choices={offered}
        marked={marked}
        optionId={(id) => idOf(listId, id)}
        isRecent={isBlank}
        zone={scope?.zone ?? 'UTC'}
      />
      <Refused actor={actor} />
      <p className={offered.length > 0 ? 'visually-hidden' : styles.note} role="status">
        {isBlank ? (
          offered.length === 0 && <Hints hasArchive={hasArchive} />
        ) : isBusy ? (
          t`Searching…`
        ) : offered.length === 0 ? (
          <Trans>No matches</Trans>
        ) : (
          <Plural value={offered.length} one="# result" other="# results" />
        )}
      </p>
    </>
  )
}

function Hints({ hasArchive }: { hasArchive: boolean }) {
  if (!hasArchive) return <Trans>Type part of a name. Arrow keys select, Enter opens.</Trans>
  return <Trans>Type part of a name, or a time to go to: 14:05, yesterday 14:05, monday 8:00, 10 min ago.</Trans>
}

function Refused({ actor }: { actor: PaletteRef }) {
  const { t, i18n } = useLingui()
  const apiError = useSelector(actor, selectApiError)
  if (apiError === null) return null
  const { message, code } = apiErrorText(apiError.code)
  return (
    <div className={styles.refused} role="alert">
      <span>
        {i18n._(message)}
        {code !== '' && <code> {code}</code>}
      </span>
      <Button onClick={() => actor.send({ type: 'search.retried' })}>{t`Retry`}</Button>
    </div>
  )
}
