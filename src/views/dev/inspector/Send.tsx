import { useMemo } from 'react'
import { useSelector } from '@xstate/react'
import { isMachineSnapshot, type ActorRefFrom, type AnyStateMachine } from 'xstate'
import { Button } from '../../ui/Button.tsx'
import type { ActorRecord, RecordedEvent } from '../record/recorder.ts'
import type { Ring } from '../record/ring.ts'
import { payloadOf, type inspectorMachine } from './inspector.machine.ts'
import { canSend, sendables, type Sendable } from './sendable.ts'
import shared from './Inspector.module.css'
import styles from './Send.module.css'

interface SendProps {
  actor: ActorRefFrom<typeof inspectorMachine>
  record: ActorRecord
  machine: AnyStateMachine
  tape: Ring<RecordedEvent>
  /** Changes with each update of the inspector, as `tape` stays the same object. */
  revision: number
}

/** The events that the machine would accept now, then the others; a form edits the payload before sending. */
export function Send({ actor, record, machine, tape, revision }: SendProps) {
  const draft = useSelector(actor, (snapshot) => snapshot.context.draft)
  const isWriting = useSelector(actor, (snapshot) => !snapshot.matches({ draft: 'idle' }))
  const isUnreadable = useSelector(actor, (snapshot) => snapshot.matches({ draft: 'unreadable' }))
  const snapshot: unknown = record.ref.getSnapshot()
  const { events } = useMemo(
    () => ({ revision, events: isMachineSnapshot(snapshot) ? sendables(record, machine, snapshot, tape.items()) : [] }),
    [record, machine, snapshot, tape, revision],
  )
  const payload = payloadOf(draft.text)
  const isAccepted =
    payload !== null && isMachineSnapshot(snapshot) && canSend(snapshot, { ...payload, type: draft.event })
  const [accepted, others] = [events.filter(({ can }) => can), events.filter(({ can }) => !can)]

  return (
    <div className={styles.send}>
      {isWriting && (
        <form
          className={styles.draft}
          onSubmit={(event) => {
            event.preventDefault()
            actor.send({ type: 'actor.chosen', actor: record.key })
            actor.send({ type: 'draft.sent' })
          }}
        >
          <label>
            Payload of <code>{draft.event}</code>
            <textarea
              rows={6}
              spellCheck={false}
              value={draft.text}
              aria-invalid={isUnreadable || undefined}
              onChange={(event) => actor.send({ type: 'draft.typed', text: event.target.value })}
            />
          </label>
          <p className={`${shared.quiet} ${styles.note}`} role="status">
            {hintOf(isUnreadable || payload === null, isAccepted)}
          </p>
          <Button type="submit" variant="primary">
            Send
          </Button>
        </form>
      )}
      <Events title="Accepted now" list={accepted} actor={actor} />
      <Events title="Not now, or not with this payload" list={others} actor={actor} />
    </div>
  )
}

function hintOf(isUnreadable: boolean, isAccepted: boolean): string {
  if (isUnreadable) return 'This is not a JSON object.'
  return isAccepted ? 'The machine would accept it.' : 'The machine would not accept it now.'
}

function Events({ title, list, actor }: { title: string; list: readonly Sendable[]; actor: SendProps['actor'] }) {
  if (list.length === 0) return null
  return (
    <>
      <h4>
        {title} ({list.length})
      </h4>
      <ul className={styles.events}>
        {list.map(({ type, example }) => (
          <li key={type}>
            <button
              type="button"
              className={shared.link}
              onClick={() => actor.send({ type: 'draft.begun', event: type, text: JSON.stringify(example, null, 2) })}
            >
              {type}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
