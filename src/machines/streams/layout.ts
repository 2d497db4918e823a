import type { Stream } from '../../api/contract/stream.ts'
import type { Section } from './grouping.ts'
import { type Listing, streamAt } from './listing.ts'
import type { ViewMode } from './preferences.ts'

/** The position of each row of the list, in CSS pixels, so that only rows in sight are rendered. */

export interface Viewport {
  readonly top: number
  readonly height: number
  readonly width: number
}

export interface Geometry {
  readonly kind: 'cards' | 'table' | 'compact'
  readonly columns: number
  readonly itemHeight: number
  readonly headHeight: number
  readonly inset: number
}

export interface Row {
  readonly kind: 'head' | 'items'
  readonly section: Section
  readonly top: number
  readonly height: number
  /** Entries count through all sections; those of this row are `first` to `first + count - 1`. */
  readonly first: number
  readonly count: number
}

export const entriesOf = ({ first, count }: Row): number[] => Array.from({ length: count }, (_, index) => first + index)

interface Entry {
  readonly section: Section
  readonly stream: Stream | undefined
}

export interface Layout {
  readonly geometry: Geometry
  readonly height: number
  readonly entryCount: number
  readonly hasHeads: boolean
  /** All streams are loaded, so the sections are complete. */
  readonly isWhole: boolean
  rowsWithin(from: number, to: number): readonly Row[]
  rowOf(entry: number): Row | undefined
  entryAt(entry: number): Entry | undefined
  headOf(section: SectionName): Row | undefined
  entryOf(section: SectionName, uid: string): number | undefined
}

type SectionName = Pick<Section, 'kind' | 'tag'>

const minCardWidth = 232
const cardTextHeight = 66
const narrowWidth = 680

export function geometryOf(viewMode: ViewMode, width: number): Geometry {
  const inset = width < narrowWidth ? 12 : 16
  if (viewMode === 'table') {
    return width < narrowWidth
      ? { kind: 'compact', columns: 1, itemHeight: 84, headHeight: 44, inset }
      : { kind: 'table', columns: 1, itemHeight: 40, headHeight: 40, inset: 0 }
  }
  const available = Math.max(0, width - inset)
  const columns = Math.max(1, Math.floor(available / (minCardWidth + inset)))
  const cardWidth = available / columns - inset
  return {
    kind: 'cards',
    columns,
    itemHeight: Math.round((Math.max(0, cardWidth) * 9) / 16) + cardTextHeight + inset,
    headHeight: 44,
    inset,
  }
}

interface Block {
  section: Section
  hasHead: boolean
  top: number
  bottom: number
  firstEntry: number
}

export function layoutOf(listing: Listing, sections: readonly Section[], geometry: Geometry): Layout {
  const { columns, itemHeight, headHeight } = geometry
  const blocks: Block[] = []
  let top = geometry.kind === 'table' ? 0 : geometry.inset
  let firstEntry = 0
  for (const section of sections) {
    const hasHead = section.kind === 'tag' || section.kind === 'untagged'
    const bottom = top + (hasHead ? headHeight : 0) + Math.ceil(section.count / columns) * itemHeight
    blocks.push({ section, hasHead, top, bottom, firstEntry })
    top = bottom
    firstEntry += section.count
  }
  const itemsRow = ({ section, hasHead, top, firstEntry }: Block, row: number): Row => ({
    kind: 'items',
    section,
    top: top + (hasHead ? headHeight : 0) + row * itemHeight,
    height: itemHeight,
    first: firstEntry + row * columns,
    count: Math.min(columns, section.count - row * columns),
  })
  const headRow = ({ section, top, firstEntry }: Block): Row => ({
    kind: 'head',
    section,
    top,
    height: headHeight,
    first: firstEntry,
    count: 0,
  })
  const blockOf = ({ kind, tag }: SectionName) =>
    blocks.find(({ section }) => section.kind === kind && section.tag === tag)
  const sectionHolding = (entry: number) => blocks[lastAtMost(blocks, ({ firstEntry }) => firstEntry, entry)]
  return {
    geometry,
    height: top,
    entryCount: firstEntry,
    hasHeads: blocks.some(({ hasHead }) => hasHead),
    isWhole: sections.every(({ kind }) => kind !== 'rest'),
    rowsWithin(from, to) {
      const rows: Row[] = []
      for (
        let index = Math.max(
          0,
          lastAtMost(blocks, (one) => one.top, from),
        );
        index < blocks.length;
        index += 1
      ) {
        const block = blocks[index]
        if (block === undefined || block.top >= to) break
        const start = block.top + (block.hasHead ? headHeight : 0)
        if (block.hasHead && start > from) {
          rows.push(headRow(block))
        }
        const last = Math.min(Math.ceil(block.section.count / columns), Math.ceil((to - start) / itemHeight))
        for (let row = Math.max(0, Math.floor((from - start) / itemHeight)); row < last; row += 1)
          rows.push(itemsRow(block, row))
      }
      return rows
    },
    rowOf(entry) {
      const block = sectionHolding(entry)
      if (block === undefined || entry < 0 || entry >= firstEntry) return undefined
      return itemsRow(block, Math.floor((entry - block.firstEntry) / columns))
    },
    entryAt(entry) {
      const block = sectionHolding(entry)
      if (block === undefined || entry < 0 || entry >= firstEntry) return undefined
      const index = entry - block.firstEntry
      return {
        section: block.section,
        stream: block.section.kind === 'all' ? streamAt(listing, index) : block.section.streams[index],
      }
    },
    headOf(section) {
      const block = blockOf(section)
      return block?.hasHead === true ? headRow(block) : undefined
    },
    entryOf(section, uid) {
      const block = blockOf(section)
      const index = block?.section.streams.findIndex((stream) => stream.uid === uid) ?? -1
      return block === undefined || index < 0 ? undefined : block.firstEntry + index
    },
  }
}

/** The index of the last element whose key is at most `limit`; -1 if there is none. */
function lastAtMost<T>(list: readonly T[], keyOf: (item: T) => number, limit: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = list[middle]
    if (item !== undefined && keyOf(item) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The entry that an arrow key leads to: along the row, or to the same column of the row above or below. */
export function entryBeside(layout: Layout, entry: number, step: 'left' | 'right' | 'up' | 'down'): number {
  const clamped = (next: number) => Math.min(layout.entryCount - 1, Math.max(0, next))
  if (step === 'left') return clamped(entry - 1)
  if (step === 'right') return clamped(entry + 1)
  const row = layout.rowOf(entry)
  if (row === undefined) return 0
  const beside = layout.rowOf(step === 'up' ? row.first - 1 : row.first + row.count)
  return beside === undefined ? entry : beside.first + Math.min(entry - row.first, beside.count - 1)
}
