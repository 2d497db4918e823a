import { useMemo, useState } from 'react'
import { useSelector } from '@xstate/react'
import { AppWindow, PanelBottom, PanelRight, X } from 'lucide-react'
import type { ActorRefFrom } from 'xstate'
import { Segments } from '../../ui/Segments.tsx'
import { chartOf } from '../chart/chart-model.ts'
import type { Recorder } from '../record/recorder.ts'
import { sessionOf, whyNoSession } from '../record/session.ts'
import { momentOf, nameOf, treeOf, type TreeItem } from './actors.ts'
import { ChartView } from './ChartView.tsx'
import type { inspectorMachine, Dock } from './inspector.machine.ts'
import styles from './Inspector.module.css'
import { Log } from './Log.tsx'
import { Picker } from './Picker.tsx'
import { Send } from './Send.tsx'
import { ToolButton } from './ToolButton.tsx'
import { useDrawing } from './use-drawing.ts'
import { useRevision } from './use-revision.ts'
import { EventFields, Value } from './Value.tsx'

interface InspectorProps {
  actor: ActorRefFrom<typeof inspectorMachine>
  recorder: Recorder
  view: Window
  onCopy: (text: string) => void
  onSave: (name: string, text: string) => void
}

const shownLines = 150
const docks: readonly { dock: Dock; label: string; Icon: typeof X }[] = [
  { dock: 'right', label: 'Dock to the right', Icon: PanelRight },
  { dock: 'bottom', label: 'Dock to the bottom', Icon: PanelBottom },
  { dock: 'window', label: 'Open in a window', Icon: AppWindow },
]
const panes = [
  { id: 'context', label: 'Context' },
  { id: 'event', label: 'Event' },
  { id: 'send', label: 'Send' },
] as const

export function Inspector({ actor, recorder, view, onCopy, onSave }: InspectorProps) {
  const revision = useRevision(recorder, view)
  const [pane, setPane] = useState<(typeof panes)[number]['id']>('context')
  const [withEnded, setWithEnded] = useState(false)
  const { seq, words, isScoped, actor: chosenKey } = useSelector(actor, (snapshot) => snapshot.context)
  const isFollowing = useSelector(actor, (snapshot) => snapshot.matches({ time: 'following' }))
  const dock = useSelector(
    actor,
    (snapshot) => docks.find((one) => snapshot.matches({ dock: { shown: one.dock } }))?.dock,
  )

  const records = recorder.records()
  const chosen = records.find(({ key }) => key === chosenKey) ?? records.find(({ machine }) => machine !== null)
  const entries = useEntries(recorder, isFollowing ? revision : null)
  const tree = treeOf(records, { withEnded, chosen })
  const matching = useMemo(() => {
    const parts = words.toLowerCase().split(' ').filter(Boolean)
    return entries.filter(({ actor, event }) => {
      if (isScoped && actor !== chosen) return false
      const text = `${nameOf(actor)} ${event.type}`.toLowerCase()
      return parts.every((part) => text.includes(part))
    })
  }, [entries, words, isScoped, chosen])
  const chart = useMemo(() => (chosen?.machine == null ? null : chartOf(chosen.machine)), [chosen])
  const drawing = useDrawing(chart)
  const moment = chosen === undefined ? null : momentOf(chosen, entries, seq)
  const snapshot = moment?.snapshot ?? null
  const active = useMemo(() => snapshot?._nodes.map(({ id }) => id) ?? [], [snapshot])
  const shownEvent = entries.findLast((entry) => (seq === null ? entry.actor === chosen : entry.seq === seq))

  return (
    <div className={styles.inspector} data-dock={dock}>
      <header className={styles.bar}>
        <h2 className={styles.title}>Inspector</h2>
        <span className={styles.mode} role="status">
          {seq === null ? 'Following' : `As of event ${seq}`}
        </span>
        {seq !== null && (
          <button type="button" className={styles.link} onClick={() => actor.send({ type: 'follow.requested' })}>
            Follow
          </button>
        )}
        <span className={styles.space} />
        {docks.map(({ dock: one, label, Icon }) => (
          <ToolButton
            key={one}
            label={label}
            icon={<Icon size={16} />}
            pressed={dock === one}
            onPress={() => actor.send({ type: 'dock.chosen', dock: one })}
          />
        ))}
        <ToolButton
          label="Close the inspector"
          icon={<X size={16} />}
          onPress={() => actor.send({ type: 'inspector.closed' })}
        />
      </header>
      <section className={styles.tree} aria-label="Actors">
        <div className={styles.bar}>
          <h3>Actors</h3>
          <label className={styles.check}>
            <input type="checkbox" checked={withEnded} onChange={() => setWithEnded(!withEnded)} /> Stopped too
          </label>
        </div>
        <Picker
          label="Actors"
          role="tree"
          items={tree}
          keyOf={({ record }) => record.key}
          levelOf={({ level }) => level}
          chosen={chosen?.key ?? null}
          onChoose={({ record }) => actor.send({ type: 'actor.chosen', actor: record.key })}
          Line={Node}
        />
      </section>
      {chart === null ? (
        <section className={styles.chart} aria-label="Chart">
          <p className={styles.quiet}>This actor has no chart: it is a promise or a callback.</p>
        </section>
      ) : (
        <ChartView
          name={chart.id}
          drawing={drawing}
          active={active}
          walked={moment?.edges ?? []}
          step={moment?.step ?? -1}
        />
      )}
      <section className={styles.side} aria-label="Details">
        <div className={styles.bar}>
          <Segments label="Details" options={panes} chosen={pane} onChoose={setPane} />
        </div>
        <div className={styles.pane} role="region" aria-label={pane} tabIndex={0}>
          {pane === 'context' &&
            snapshot !== null &&
            Object.entries(snapshot.context).map(([key, value]) => <Value key={key} name={key} value={value} />)}
          {pane === 'event' && shownEvent !== undefined && (
            <EventFields key={shownEvent.seq} event={shownEvent.event} />
          )}
          {pane === 'send' && chosen?.machine != null && (
            <Send actor={actor} record={chosen} machine={chosen.machine} tape={recorder.tape} revision={revision} />
          )}
        </div>
      </section>
      <Log
        entries={matching.slice(-shownLines).toReversed()}
        total={matching.length}
        chosen={seq}
        words={words}
        isScoped={isScoped}
        isFollowing={isFollowing}
        whyNoSession={chosen === undefined ? 'No actor is selected' : whyNoSession(chosen, recorder)}
        onWords={(words) => actor.send({ type: 'filter.typed', words })}
        onScope={() => actor.send({ type: 'scope.toggled' })}
        onPause={() => actor.send({ type: 'pause.toggled', seq: entries.at(-1)?.seq ?? 0 })}
        onChoose={(entry) => actor.send({ type: 'entry.chosen', seq: entry.seq, actor: entry.actor.key })}
        onCopy={() => chosen && onCopy(JSON.stringify(sessionOf(chosen, recorder), null, 2))}
        onSave={() =>
          chosen && onSave(`${chosen.machine?.id ?? ''}.json`, JSON.stringify(sessionOf(chosen, recorder), null, 2))
        }
      />
    </div>
  )
}

/** The log; not updated while `revision` is null, when the inspector doesn't follow. */
const useEntries = (recorder: Recorder, revision: number | null) =>
  useMemo(() => ({ revision, items: recorder.log.items() }), [recorder, revision]).items

function Node({ record, level, state, isStopped }: TreeItem) {
  return (
    <span className={styles.node} data-level={Math.min(level, 6)} data-over={isStopped || undefined}>
      <span className={record.machine === null ? styles.plain : styles.machine}>{nameOf(record)}</span>
      <span className={styles.state}>{isStopped ? 'stopped' : (state ?? '')}</span>
    </span>
  )
}
