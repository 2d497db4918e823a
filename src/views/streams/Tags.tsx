import styles from './Tags.module.css'

export function Tags({ tags, most = 3 }: { tags: readonly string[]; most?: number }) {
  if (tags.length === 0) return null
  return (
    <span className={styles.tags} title={tags.join(', ')}>
      {tags.slice(0, most).map((tag) => (
        <span key={tag} className={styles.tag}>
          {tag}
        </span>
      ))}
      {tags.length > most && <span className={styles.more}>+{tags.length - most}</span>}
    </span>
  )
}
