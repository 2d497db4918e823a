import { type KeyboardEvent, useId, useState } from 'react'
import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import { UserPlus } from 'lucide-react'
import type { ActorRefFrom } from 'xstate'
import { selectContext } from '../../machines/selectors.ts'
import type { Permission } from '../../machines/stream-pages/permissions.ts'
import type { userSearchMachine } from '../../machines/stream-pages/user-search.machine.ts'
import { Button } from '../ui/Button.tsx'
import fields from '../ui/Field.module.css'
import styles from './AddPerson.module.css'

interface AddPersonProps {
  search: ActorRefFrom<typeof userSearchMachine>
  permissions: readonly Permission[]
  onAdd: (login: string) => void
}

const maxSuggestions = 8

/** Adds a user by login, with suggestions for those who may search users. */
export function AddPerson({ search, permissions, onAdd }: AddPersonProps) {
  const { t } = useLingui()
  const id = useId()
  const { login, found } = useSelector(search, selectContext)
  /** The highlighted login; '' for none. Not its index, as new results may have another user there. */
  const [active, setActive] = useState('')
  const [isClosed, setClosed] = useState(false)
  const isListed = (name: string) =>
    permissions.some((permission) => permission.login.toLowerCase() === name.toLowerCase())
  const options = found.filter((name) => !isListed(name)).slice(0, maxSuggestions)
  const isOpen = options.length > 0 && login.trim() !== '' && !isClosed
  const activeIndex = isOpen ? options.indexOf(active) : -1
  const activeOption = options[activeIndex]
  const name = activeOption ?? login.trim()
  const canAdd = name !== '' && !isListed(name)
  const type = (text: string) => {
    setActive('')
    setClosed(false)
    search.send({ type: 'login.edited', login: text })
  }
  const add = (added: string) => {
    onAdd(added)
    type('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) setClosed(true)
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    setClosed(false)
    const step = event.key === 'ArrowDown' ? 1 : -1
    const from = options.indexOf(active)
    const to =
      from === -1 && step === -1 ? options.length - 1 : (from + step + options.length) % Math.max(1, options.length)
    setActive(options[to] ?? '')
  }
  return (
    <form
      className={styles.add}
      onSubmit={(event) => {
        event.preventDefault()
        if (canAdd) add(name)
      }}
    >
      <div className={styles.person}>
        <label className={fields.label} htmlFor={id}>{t`Login`}</label>
        <input
          id={id}
          className={fields.input}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={`${id}-found`}
          aria-activedescendant={activeOption === undefined ? undefined : `${id}-${activeIndex}`}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          placeholder={t`Login or a part of it`}
          value={login}
          onChange={({ target }) => type(target.value)}
          onKeyDown={onKeyDown}
          onBlur={() => setClosed(true)}
        />
        <div id={`${id}-found`} className={styles.list} role="listbox" aria-label={t`Users found`} hidden={!isOpen}>
          {options.map((option, index) => (
            <button
              key={option}
              type="button"
              tabIndex={-1}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === activeIndex}
              className={styles.option}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => add(option)}
            >
              {option}
            </button>
          ))}
        </div>
      </div>
      <Button type="submit" icon={<UserPlus size={16} aria-hidden="true" />} disabled={!canAdd}>
        {t`Add`}
      </Button>
    </form>
  )
}
