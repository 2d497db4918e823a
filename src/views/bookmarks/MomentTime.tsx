import { formatDateTime } from '../../i18n/formats.ts'
import styles from './Bookmarks.module.css'

export function MomentTime({ at, zone }: { at: number; zone: string }) {
  const words = formatDateTime(at, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    timeZone: zone,
  })
  return (
    <time className={styles.time} dateTime={new Date(at).toISOString()}>
      {words}
    </time>
  )
}
