import { entriesOf, type Row } from '../../machines/streams/layout.ts'
import { entryProps, type ListProps } from './list-props.ts'
import { GroupHead } from './GroupHead.tsx'
import { StreamPlaceholder } from './StreamPlaceholder.tsx'
import { CompactCard, StreamCard } from './StreamCard.tsx'
import styles from './StreamCards.module.css'

export function StreamCards(list: ListProps) {
  const { previews, layout, rows, drawing, width } = list
  const { kind, columns, inset } = layout.geometry
  const cell = (width - inset) / columns
  const Card = kind === 'compact' ? CompactCard : StreamCard
  const itemOf = (row: Row, entry: number) => {
    const stream = layout.entryAt(entry)?.stream
    const position = {
      transform: `translate(${inset + (entry - row.first) * cell}px, ${row.top}px)`,
      width: cell - inset,
      height: row.height - (kind === 'compact' ? 8 : inset),
    }
    return (
      <li
        key={stream === undefined ? `entry ${entry}` : `${row.section.kind} ${row.section.tag} ${stream.uid}`}
        className={styles.item}
        style={position}
        data-holds-entry={entry}
        aria-posinset={entry + 1}
        aria-setsize={layout.entryCount}
      >
        {stream === undefined ? (
          <StreamPlaceholder entry={entry} />
        ) : (
          <Card {...entryProps(list, stream, entry)} previews={previews} />
        )}
      </li>
    )
  }
  return (
    <ul className={styles.list} style={{ height: layout.height }}>
      {rows.flatMap((row) => {
        if (row.kind === 'head') {
          return [
            <li
              key={`head ${row.section.kind} ${row.section.tag}`}
              className={styles.head}
              style={{ transform: `translateY(${row.top}px)`, paddingInline: inset }}
            >
              <GroupHead section={row.section} isWhole={layout.isWhole} />
            </li>,
          ]
        }
        const rendered = entriesOf(row).filter(drawing.isRendered)
        const items = rendered.map((entry) => itemOf(row, entry))
        if (rendered.length === row.count) return items
        const [shown, whole] = [`${cell - inset}px`, `${cell}px`]
        const placeholders = {
          transform: `translate(${inset}px, ${row.top}px)`,
          width: row.count * cell - inset,
          height: row.height - inset,
          backgroundImage: `repeating-linear-gradient(to right, var(--panel) 0 ${shown}, transparent 0 ${whole})`,
        }
        return [
          <li
            key={`placeholders ${row.first}`}
            className={styles.placeholders}
            style={placeholders}
            role="presentation"
            data-waiting=""
          />,
          ...items,
        ]
      })}
    </ul>
  )
}
