import type { Layout, Row } from '../../machines/streams/layout.ts'
import type { StatusChange } from '../../machines/streams/streams.events.ts'
import type { Choice } from './use-choice.ts'
import type { PreviewsRef, StreamsRef } from '../../machines/streams/streams.selectors.ts'

/**
 * What a way of drawing the list gets: `rows` are those to show, each as it is or, where it isn't drawn yet, as the place of it;
 * `current` is the entry that has the tab stop.
 */
export interface ListProps {
  actor: StreamsRef
  previews: PreviewsRef | undefined
  layout: Layout
  rows: readonly Row[]
  isDrawn: (row: Row) => boolean
  current: number
  isAdmin: boolean
  changing: readonly StatusChange[]
  choice: Choice
  width: number
}
