import { Copy, Download, Pause, Play } from 'lucide-react'
import { plainEvent } from '../record/plain.ts'
import type { Entry } from '../record/recorder.ts'
import { nameOf } from './actors.ts'
import { Picker } from './Picker.tsx'
import shared from './Inspector.module.css'
import styles from './Log.module.css'
import { ToolButton } from './ToolButton.tsx'
import { brief } from './Value.tsx'

interface LogProps {
  entries: readonly Entry[]
  total: number
  /** The `seq` of the selected entry. */
  chosen: number | null
  words: string
  isScoped: boolean
  isFollowing: boolean
  /** Why the selected actor has no session to copy or save; null if it has one. */
  whyNoSession: string | null
  onWords: (words: string) => void
  onScope: () => void
  onPause: () => void
  onChoose: (entry: Entry) => void
  onCopy: () => void
  onSave: () => void
}

export function Log({
  entries,
  total,
  chosen,
  words,
  isScoped,
  isFollowing,
  whyNoSession,
  onWords,
  onScope,
  onPause,
  onChoose,
  onCopy,
  onSave,
}: LogProps) {
  return (
    <section className={shared.log} aria-label="Log">
      <div className={shared.bar}>
        <ToolButton
          label={isFollowing ? 'Pause' : 'Follow'}
          icon={isFollowing ? <Pause size={16} /> : <Play size={16} />}
          pressed={!isFollowing}
          onPress={onPause}
        />
        <input
          type="search"
          className={styles.filter}
          aria-label="Filter events"
          placeholder="Filter events"
          value={words}
          onChange={(event) => onWords(event.target.value)}
        />
        <label className={shared.check}>
          <input type="checkbox" checked={isScoped} onChange={onScope} /> This actor
        </label>
        <output className={shared.count}>{total} events</output>
        <ToolButton
          label={whyNoSession ?? 'Copy the session as a test'}
          icon={<Copy size={16} />}
          disabled={whyNoSession !== null}
          onPress={onCopy}
        />
        <ToolButton
          label={whyNoSession ?? 'Save the session as a test'}
          icon={<Download size={16} />}
          disabled={whyNoSession !== null}
          onPress={onSave}
        />
      </div>
      {entries.length === 0 ? (
        <p className={shared.quiet}>No events.</p>
      ) : (
        <Picker
          label="Events"
          role="listbox"
          items={entries.map((entry) => ({ entry, hasSettled: entry.snapshot !== null }))}
          keyOf={({ entry }) => String(entry.seq)}
          chosen={chosen === null ? null : String(chosen)}
          onChoose={({ entry }) => onChoose(entry)}
          Line={Line}
        />
      )}
    </section>
  )
}

/** `hasSettled` makes the line render again when the entry, which stays the same object, gets its edges. */
function Line({ entry: { at, actor, source, event, edges } }: { entry: Entry; hasSettled: boolean }) {
  return (
    <>
      <span className={styles.time}>{(at / 1000).toFixed(3)}</span>
      <span className={styles.to}>
        {source === null ? '' : `${nameOf(source)} → `}
        {nameOf(actor)}
      </span>
      <span className={edges.length === 0 ? styles.idle : styles.event}>{event.type}</span>
      <span className={styles.payload}>{payloadOf(event)}</span>
    </>
  )
}

/** The payload in one line, with objects shortened. */
function payloadOf(event: { readonly type: string }): string {
  const isLarge = (value: unknown) => typeof value === 'object' && value !== null
  const named = Object.entries(event).filter(
    ([key, value]) => key !== 'type' && key !== 'actorId' && value !== undefined,
  )
  const small = plainEvent({ ...Object.fromEntries(named.filter(([, value]) => !isLarge(value))), type: event.type })
  return named
    .map(([key, value]) => `${key}: ${isLarge(value) ? brief(key, value) : JSON.stringify(small[key])}`)
    .join('  ')
    .slice(0, 160)
}
