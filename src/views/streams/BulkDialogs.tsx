import { useState } from 'react'
import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { tagsAmong, tagsIn } from '../../machines/streams/bulk-tags.ts'
import { type BulkRef, selectChosen, selectIsPurging } from '../../machines/streams/streams.selectors.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../ui/Dialog.tsx'
import { CheckField, TextField } from '../ui/Field.tsx'
import { displayName } from './stream-words.tsx'
import styles from './BulkBar.module.css'

export function TagDialog({ bulk }: { bulk: BulkRef }) {
  const { t } = useLingui()
  const chosen = useSelector(bulk, selectChosen)
  const [typed, setTyped] = useState('')
  const [removed, setRemoved] = useState<readonly string[]>([])
  const added = tagsIn(typed)
  const known = tagsAmong(chosen.values())
  const isEmpty = added.length === 0 && removed.length === 0
  const cancel = () => bulk.send({ type: 'tagging.cancelled' })
  const apply = () => bulk.send({ type: 'job.requested', job: { kind: 'tag', added, removed } })
  return (
    <Dialog
      title={t`Tags of the chosen streams`}
      onClose={cancel}
      actions={
        <>
          <Button onClick={cancel}>{t`Cancel`}</Button>
          <Button variant="primary" disabled={isEmpty} onClick={apply}>{t`Apply`}</Button>
        </>
      }
    >
      <TextField
        label={t`Add tags`}
        help={t`Several with commas between them.`}
        value={typed}
        maxLength={1000}
        onChange={setTyped}
        onKeyDown={({ key }) => key === 'Enter' && !isEmpty && apply()}
      />
      {known.length > 0 && (
        <fieldset className={styles.removed}>
          <legend>{t`Take away`}</legend>
          {known.map((tag) => (
            <CheckField
              key={tag}
              label={tag}
              checked={removed.includes(tag)}
              onChange={(isChecked) => setRemoved(isChecked ? [...removed, tag] : removed.filter((one) => one !== tag))}
            />
          ))}
        </fieldset>
      )}
    </Dialog>
  )
}

const maxNamed = 8

export function BulkRemovalDialog({ bulk }: { bulk: BulkRef }) {
  const { t } = useLingui()
  const chosen = [...useSelector(bulk, selectChosen).values()]
  const isPurging = useSelector(bulk, selectIsPurging)
  const recorded = chosen.filter(({ archive }) => archive.isEnable).length
  const more = chosen.length - maxNamed
  const isOne = chosen.length === 1
  return (
    <ConfirmDialog
      title={isOne ? t`Delete the chosen stream?` : t`Delete ${chosen.length} streams?`}
      confirmLabel={t`Delete`}
      onConfirm={() => bulk.send({ type: 'removal.confirmed' })}
      onCancel={() => bulk.send({ type: 'removal.cancelled' })}
    >
      <ul className={styles.removed}>
        {chosen.slice(0, maxNamed).map((stream) => (
          <li key={stream.uid}>{displayName(stream)}</li>
        ))}
        {more > 0 && (
          <li>
            <Plural value={more} one="and # more" other="and # more" />
          </li>
        )}
      </ul>
      <p>
        {isOne ? (
          <Trans>The stream leaves every list and mosaic. Its settings, permissions and public link are lost.</Trans>
        ) : (
          <Trans>They leave every list and mosaic. Their settings, permissions and public links are lost.</Trans>
        )}
      </p>
      <CheckField
        label={isOne ? t`Delete its archive too` : t`Delete their archives too`}
        help={
          isOne ? (
            t`All its recordings go, and can't be brought back.`
          ) : (
            <Plural
              value={recorded}
              one="# of them is recorded. All its recordings go, and can't be brought back."
              other="# of them are recorded. All their recordings go, and can't be brought back."
            />
          )
        }
        checked={isPurging}
        onChange={(chosen) => bulk.send({ type: 'removal.purgeChosen', isPurging: chosen })}
      />
    </ConfirmDialog>
  )
}
