import { useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import type { FoundEvent } from '../../api/contract/events.ts'
import { formatMoment, formatPercent } from '../../i18n/formats.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { eventPictureKey } from '../../machines/events/event-picture.ts'
import { liveAddress, searchOf } from '../../machines/player/address.ts'
import type { PreviewsRef } from '../../machines/streams/streams.selectors.ts'
import { MomentPicture } from '../bookmarks/MomentPicture.tsx'
import { SelectRecording } from '../bookmarks/SelectRecording.tsx'
import { AnnotationShape } from '../timeline/AnnotationShape.tsx'
import { labelWord, typeWord } from '../timeline/type-words.ts'
import { lengthText } from '../timeline/local-time.ts'
import styles from './Events.module.css'

interface EventCardProps {
  event: FoundEvent
  name: string
  previews: PreviewsRef
  zone: string
}

export function EventCard({ event, name, previews, zone }: EventCardProps) {
  const { t } = useLingui()
  const { streamId, time, timeEnd = time, type, label = '', score, source = '' } = event
  const word = label === '' ? typeWord(type) : labelWord(label)
  const what = word === undefined ? label || type : t(word)
  return (
    <li className={styles.card}>
      <Link
        href={`${pathTo('streamView', { uid: streamId })}${searchOf('', { ...liveAddress, at: time })}`}
        className={styles.open}
      >
        <MomentPicture previews={previews} previewKey={eventPictureKey(event)} />
        <span className={styles.what}>
          <AnnotationShape isEvent={type === 'event'} />
          <strong>{what}</strong>
          {score !== undefined && <span className={styles.score}>{formatPercent(score)}</span>}
        </span>
        <span className={styles.where}>{name}</span>
        <span className={styles.when}>
          <time dateTime={new Date(time).toISOString()}>{formatMoment(time, zone)}</time>
          {timeEnd > time && <span>{lengthText(timeEnd - time)}</span>}
        </span>
        {source !== '' && <span className={styles.source}>{source}</span>}
      </Link>
      <div className={styles.actions}>
        <SelectRecording streamId={streamId} happened={{ from: time, to: timeEnd }} name={`${what}, ${name}`} />
      </div>
    </li>
  )
}
