import styles from './Tags.module.css'

export function Tags({ tags, maxShown = 3 }: { tags: readonly string[]; maxShown?: number }) {
  if (tags.length === 0) return null
  return (
    <span className={styles.tags} title={tags.join(', ')}>
      {tags.slice(0, maxShown).map((tag) => (
        <span key={tag} className={styles.tag}>
          {tag}
        </span>
      ))}
      {tags.length > maxShown && <span className={styles.more}>+{tags.length - maxShown}</span>}
    </span>
  )
}
