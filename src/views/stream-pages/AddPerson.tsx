import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import { UserPlus } from 'lucide-react'
import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { Permission } from '../../machines/stream-pages/permissions.ts'
import type { userSearchMachine } from '../../machines/stream-pages/user-search.machine.ts'
import { Button } from '../ui/Button.tsx'
import styles from './PermissionsPage.module.css'

interface AddPersonProps {
  search: ActorRefFrom<typeof userSearchMachine>
  known: readonly Permission[]
  onAdd: (login: string) => void
}

const selectContext = ({ context }: SnapshotFrom<typeof userSearchMachine>) => context

/** Adds a user: found by what is typed where one may search, or by the whole login. */
export function AddPerson({ search, known, onAdd }: AddPersonProps) {
  const { t } = useLingui()
  const { login, found } = useSelector(search, selectContext)
  const isKnown = (name: string) => known.some((permission) => permission.login === name)
  const type = (text: string) => search.send({ type: 'login.edited', login: text })
  const canAdd = login.trim() !== '' && !isKnown(login.trim())
  const add = (name: string) => {
    onAdd(name)
    type('')
  }
  const options = found.filter((name) => !isKnown(name)).map((name) => ({ id: name }))
  return (
    <form
      className={styles.add}
      onSubmit={(event) => {
        event.preventDefault()
        if (canAdd) add(login.trim())
      }}
    >
      <ComboBox
        className={styles.person ?? ''}
        items={options}
        inputValue={login}
        allowsCustomValue
        selectedKey={null}
        onInputChange={type}
        onSelectionChange={(key) => (key === null ? undefined : add(String(key)))}
      >
        <Label className={styles.label ?? ''}>{t`Login`}</Label>
        <Input className={styles.input ?? ''} autoCapitalize="none" autoComplete="off" spellCheck={false} placeholder={t`Login or a part of it`} />
        <Popover className={styles.popover ?? ''} offset={4}>
          <ListBox className={styles.list ?? ''}>
            {({ id }: { id: string }) => (
              <ListBoxItem id={id} textValue={id} className={styles.option ?? ''}>
                {id}
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
      <Button type="submit" icon={<UserPlus size={16} aria-hidden="true" />} disabled={!canAdd}>
        {t`Add`}
      </Button>
    </form>
  )
}
