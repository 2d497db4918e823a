import type { ListProps } from './list-props.ts'
import { GroupHead } from './GroupHead.tsx'
import { Waiting } from './Waiting.tsx'
import { CompactCard, StreamCard } from './StreamCard.tsx'
import styles from './StreamCards.module.css'

/** The list as cards, each laid where its entry lies. */
export function StreamCards({ actor, previews, layout, rows, isDrawn, current, isAdmin, changing, choice, width }: ListProps) {
  const { kind, columns, inset } = layout.geometry
  const cell = (width - inset) / columns
  const Card = kind === 'compact' ? CompactCard : StreamCard
  return (
    <ul className={styles.list} style={{ height: layout.height }}>
      {rows.flatMap((row) => {
        if (row.kind === 'head') {
          return [
            <li key={`head ${row.section.kind} ${row.section.tag}`} className={styles.head} style={{ transform: `translateY(${row.top}px)`, paddingInline: inset }}>
              <GroupHead section={row.section} isWhole={layout.isWhole} />
            </li>,
          ]
        }
        const hasCards = isDrawn(row)
        return Array.from({ length: row.count }, (_, column) => {
          const entry = row.first + column
          const stream = layout.entryAt(entry)?.stream
          const place = {
            transform: `translate(${inset + column * cell}px, ${row.top}px)`,
            width: cell - inset,
            height: row.height - (kind === 'compact' ? 8 : inset),
          }
          return (
            <li key={stream === undefined ? `entry ${entry}` : `${row.section.kind} ${row.section.tag} ${stream.uid}`} className={styles.item} style={place} data-holds-entry={entry} aria-posinset={entry + 1} aria-setsize={layout.entryCount}>
              {stream === undefined || !hasCards ? (
                <Waiting entry={entry} />
              ) : (
                <Card
                  actor={actor}
                  previews={previews}
                  stream={stream}
                  entry={entry}
                  isCurrent={entry === current}
                  canAdmin={isAdmin || stream.meta.canAdmin}
                  isChosen={choice.isChosen(stream.uid)}
                  isLocked={choice.isLocked}
                  outcome={choice.outcomeOf(stream.uid)}
                  onChoose={choice.onChoose}
                  isChanging={changing.some(({ uid }) => uid === stream.uid)}
                />
              )}
            </li>
          )
        })
      })}
    </ul>
  )
}
