import styles from './TimelineLists.module.css'

/** A triangle for an event, a square for another annotation, so that they differ not only in colour. */
export function AnnotationShape({ isEvent }: { isEvent: boolean }) {
  return (
    <svg
      className={styles.shape}
      width="12"
      height="12"
      viewBox="0 0 12 12"
      data-event={isEvent || undefined}
      aria-hidden="true"
    >
      {isEvent ? <path d="M1.5 2h9L6 11z" /> : <rect x="2.25" y="2.25" width="7.5" height="7.5" />}
    </svg>
  )
}
