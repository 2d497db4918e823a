import { useState } from 'react'
import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { formatNumber } from '../../i18n/formats.ts'
import { tagsAmong, tagsIn } from '../../machines/streams/bulk-tags.ts'
import { lockReasonsIn } from '../../machines/streams/bulk-locks.ts'
import {
  type BulkRef,
  selectChosen,
  selectOutcomes,
  selectSubjects,
  selectWithArchive,
} from '../../machines/streams/streams.selectors.ts'
import { LockedRemovalDialog } from '../locks/LockedRemovalDialog.tsx'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../ui/Dialog.tsx'
import { CheckField, TextField } from '../ui/Field.tsx'
import { displayName } from './stream-words.tsx'
import styles from './BulkBar.module.css'

export function TagDialog({ bulk }: { bulk: BulkRef }) {
  const { t } = useLingui()
  const streams = useSelector(bulk, selectChosen)
  const [typed, setTyped] = useState('')
  const [removed, setRemoved] = useState<readonly string[]>([])
  const added = tagsIn(typed)
  const known = tagsAmong(streams.values())
  const isUnchanged = added.length === 0 && removed.length === 0
  const cancel = () => bulk.send({ type: 'tagging.cancelled' })
  const apply = () => bulk.send({ type: 'job.requested', job: { kind: 'tag', added, removed } })
  return (
    <Dialog
      title={t`Tags of the selected streams`}
      onClose={cancel}
      actions={
        <>
          <Button onClick={cancel}>{t`Cancel`}</Button>
          <Button variant="primary" disabled={isUnchanged} onClick={apply}>{t`Apply`}</Button>
        </>
      }
    >
      <TextField
        label={t`Add tags`}
        help={t`Separate tags with commas.`}
        value={typed}
        maxLength={1000}
        onChange={setTyped}
        onKeyDown={({ key, nativeEvent }) => key === 'Enter' && !nativeEvent.isComposing && !isUnchanged && apply()}
      />
      {known.length > 0 && (
        <fieldset className={styles.tagsToRemove}>
          <legend>{t`Remove tags`}</legend>
          {known.map((tag) => (
            <CheckField
              key={tag}
              label={tag}
              checked={removed.includes(tag)}
              onChange={(isChecked) =>
                setRemoved(isChecked ? [...removed, tag] : removed.filter((other) => other !== tag))
              }
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
  const streams = [...useSelector(bulk, selectChosen).values()]
  const withArchive = useSelector(bulk, selectWithArchive)
  const more = streams.length - maxNamed
  const isOne = streams.length === 1
  const count = formatNumber(streams.length)
  return (
    <ConfirmDialog
      title={isOne ? t`Delete the selected stream?` : t`Delete ${count} streams?`}
      confirmLabel={t`Delete`}
      onConfirm={() => bulk.send({ type: 'removal.confirmed' })}
      onCancel={() => bulk.send({ type: 'removal.cancelled' })}
    >
      <ul className={styles.streamsToDelete}>
        {streams.slice(0, maxNamed).map((stream) => (
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
          <Trans>
            The stream is removed from all lists and mosaics. Its settings, permissions and public link are deleted.
          </Trans>
        ) : (
          <Trans>
            The streams are removed from all lists and mosaics. Their settings, permissions and public links are
            deleted.
          </Trans>
        )}
      </p>
      <CheckField
        label={isOne ? t`Also delete its archive` : t`Also delete their archives`}
        help={
          isOne
            ? t`All its recordings are deleted. This can't be undone.`
            : t`All their recordings are deleted. This can't be undone.`
        }
        checked={withArchive}
        onChange={(isChecked) => bulk.send({ type: 'removal.purgeChosen', withArchive: isChecked })}
      />
    </ConfirmDialog>
  )
}

/** Asks again about the streams that weren't deleted because recordings of them are locked. */
export function BulkLockedDialog({ bulk }: { bulk: BulkRef }) {
  const { t } = useLingui()
  const subjects = useSelector(bulk, selectSubjects)
  const outcomes = useSelector(bulk, selectOutcomes)
  const locked = [...lockReasonsIn(outcomes)].map(([uid, reasons]) => {
    const stream = subjects.get(uid)
    return { name: stream === undefined ? uid : displayName(stream), reasons: reasons.join(', ') }
  })
  const name = locked[0]?.name
  const count = formatNumber(locked.length)
  return (
    <LockedRemovalDialog
      title={
        locked.length === 1
          ? t`Delete locked recordings of “${name}”?`
          : t`Delete locked recordings of ${count} streams?`
      }
      locked={locked.map((one) => `${one.name}: ${one.reasons}`)}
      confirmLabel={t`Delete`}
      onConfirm={() => bulk.send({ type: 'removal.confirmed' })}
      onCancel={() => bulk.send({ type: 'removal.cancelled' })}
    />
  )
}
