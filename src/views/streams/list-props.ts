import type { Stream } from '../../api/contract/stream.ts'
import type { Drawing } from './use-drawn.ts'
import type { Layout, Row } from '../../machines/streams/layout.ts'
import type { StatusChange } from '../../machines/stream/stream.events.ts'
import type { Choice } from './use-choice.ts'
import type { StreamOutcome } from './Outcome.tsx'
import type { PreviewsRef, StreamsRef } from '../../machines/streams/streams.selectors.ts'

/** `rows` are in or near the viewport, `drawing` says which entries are rendered by now, `current` has the tab stop. */
export interface ListProps {
  actor: StreamsRef
  previews: PreviewsRef | undefined
  layout: Layout
  rows: readonly Row[]
  drawing: Drawing
  current: number
  isAdmin: boolean
  changing: readonly StatusChange[]
  choice: Choice
  width: number
}

/** A stream as a card or a table row; `isCurrent` if it has the tab stop. */
export interface EntryProps {
  actor: StreamsRef
  stream: Stream
  entry: number
  isCurrent: boolean
  /** Whether the buttons are rendered by now: they follow once all names and statuses are. */
  hasActions: boolean
  canAdmin: boolean
  isChanging: boolean
  isChosen: boolean
  isLocked: boolean
  outcome: StreamOutcome
  onChoose: (entry: number, isRange: boolean) => void
}

type InList = 'actor' | 'drawing' | 'current' | 'isAdmin' | 'changing' | 'choice'

export const entryProps = (
  { actor, drawing, current, isAdmin, changing, choice }: Pick<ListProps, InList>,
  stream: Stream,
  entry: number,
): EntryProps => ({
  actor,
  stream,
  entry,
  isCurrent: entry === current,
  hasActions: drawing.hasActions(entry),
  canAdmin: isAdmin || stream.meta.canAdmin,
  isChanging: changing.some(({ uid }) => uid === stream.uid),
  isChosen: choice.isChosen(stream.uid),
  isLocked: choice.isLocked,
  outcome: choice.outcomeOf(stream.uid),
  onChoose: choice.onChoose,
})
