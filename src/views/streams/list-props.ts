import type { Drawing } from './use-drawn.ts'
import type { Layout, Row } from '../../machines/streams/layout.ts'
import type { StatusChange } from '../../machines/stream/stream.events.ts'
import type { Choice } from './use-choice.ts'
import type { PreviewsRef, StreamsRef } from '../../machines/streams/streams.selectors.ts'

/**
 * What a way of drawing the list gets: `rows` are those to show, of which `drawing` tells what is drawn by now;
 * `current` is the entry that has the tab stop.
 */
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
