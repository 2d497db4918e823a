import { formatZonedMoment } from '../../i18n/formats.ts'
import styles from './Bookmarks.module.css'

export function MomentTime({ at, zone }: { at: number; zone: string }) {
  return (
    <time className={styles.time} dateTime={new Date(at).toISOString()}>
      {formatZonedMoment(at, zone)}
    </time>
  )
}
