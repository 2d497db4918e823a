import { Trans, useLingui } from '@lingui/react/macro'
import type { FormEvent, MouseEvent } from 'react'
import type { FoundEvent } from '../../api/contract/events.ts'
import type { EventFilter } from '../../api/resources/events.ts'
import { noFilter, isNarrowed } from '../../machines/events/event-filter.ts'
import { localText, momentOfLocal } from '../../machines/player/local-text.ts'
import type { CameraList } from '../../machines/streams/cameras.machine.ts'
import { typeWord } from '../timeline/type-words.ts'
import { Button } from '../ui/Button.tsx'
import { CameraChips, CameraSelect } from '../ui/Cameras.tsx'
import { SelectField, TextField } from '../ui/Field.tsx'
import { useDraft } from '../ui/use-draft.ts'
import { useLabelNames } from './use-label-names.ts'
import styles from './Events.module.css'

const commonTypes = ['event', 'status']
const labelsId = 'event-labels'

interface EventFiltersProps {
  query: EventFilter
  /** The time zone that moments are typed in. */
  zone: string
  cameras: CameraList
  /** The events on the page, whose labels and types are suggested. */
  found: readonly FoundEvent[]
  onFilter: (change: Partial<EventFilter>) => void
}

/** The value of an input of type `datetime-local`, which has no offset. */
const inputText = (at: number | null, zone: string) =>
  at === null ? '' : localText(at, zone).slice(0, 16).replace(' ', 'T')

/** Selections apply immediately, typed values with Apply or Enter. */
export function EventFilters({ query, zone, cameras, found, onFilter }: EventFiltersProps) {
  const { t } = useLingui()
  const { nameOf, labelOf } = useLabelNames()
  const draftOf = ({ label, from, to }: EventFilter) => ({
    label: nameOf(label),
    from: inputText(from, zone),
    to: inputText(to, zone),
  })
  const [draft, setDraft] = useDraft(draftOf(query))
  /** What wasn't edited stays exact: the text has neither seconds nor the offset of a repeated hour. */
  const momentIn = (name: 'from' | 'to') =>
    draft[name] === inputText(query[name], zone) ? query[name] : momentOfLocal(draft[name], zone)
  const typed = () => ({ label: labelOf(draft.label.trim()), from: momentIn('from'), to: momentIn('to') })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onFilter(typed())
  }
  /** The button disappears with the filter: the first field takes the focus. */
  const clear = (event: MouseEvent<HTMLButtonElement>) => {
    event.currentTarget.form?.querySelector<HTMLElement>('input, select')?.focus()
    setDraft(draftOf(noFilter))
    onFilter(noFilter)
  }
  const edit = (name: keyof typeof draft) => ({
    value: draft[name],
    onChange: (value: string) => setDraft({ ...draft, [name]: value }),
  })
  const selection = {
    selected: query.streamIds,
    cameras,
    onChange: (streamIds: readonly string[]) => onFilter({ ...typed(), streamIds }),
  }
  const wordsOf = (type: string) => {
    const word = typeWord(type)
    return word === undefined ? type : t(word)
  }
  const types = new Set([...commonTypes, ...found.map(({ type }) => type), query.type].filter((type) => type !== ''))
  const labels = [...new Set(found.flatMap(({ label = '' }) => (label === '' ? [] : [nameOf(label)])))].toSorted()
  return (
    <form className={styles.filter} onSubmit={submit} role="search" aria-label={t`Filter events`}>
      <CameraSelect label={t`Camera`} {...selection} />
      <SelectField
        label={t`Type`}
        value={query.type}
        options={[
          { value: '', label: t`All types` },
          ...[...types].map((type) => ({ value: type, label: wordsOf(type) })),
        ]}
        onChange={(type) => onFilter({ ...typed(), type })}
      />
      <TextField label={t`Label`} list={labelsId} autoCapitalize="none" maxLength={100} {...edit('label')} />
      <datalist id={labelsId}>
        {labels.map((label) => (
          <option key={label}>{label}</option>
        ))}
      </datalist>
      <TextField label={t`From`} type="datetime-local" {...edit('from')} />
      <TextField label={t`To`} type="datetime-local" {...edit('to')} />
      <div className={styles.buttons}>
        <Button type="submit" variant="primary">{t`Apply`}</Button>
        {isNarrowed(query) && <Button onClick={clear}>{t`Clear`}</Button>}
      </div>
      {query.streamIds.length > 0 && (
        <div className={styles.chips}>
          <CameraChips label={t`Cameras shown`} {...selection} />
        </div>
      )}
      <p className={styles.zone}>
        <Trans>Times in {zone}</Trans>
      </p>
    </form>
  )
}
