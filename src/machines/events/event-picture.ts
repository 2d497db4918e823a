import type { FoundEvent } from '../../api/contract/events.ts'
import { momentOfKey, previewKey, type StreamMoment } from '../bookmarks/bookmark-location.ts'

const prefix = 'snapshot '

/**
 * Stands for a uid where the previews machine fetches the picture of an event: its snapshot, or the preview of its
 * moment.
 */
export const eventPictureKey = ({ streamId, time, id, hasSnapshot = false }: FoundEvent): string => {
  const moment = previewKey({ streamId, at: time })
  return hasSnapshot && id !== undefined ? `${prefix}${encodeURIComponent(id)} ${moment}` : moment
}

/** `snapshotOf`: the id of the event whose snapshot it is; null for a preview. */
export function eventPictureOf(key: string): StreamMoment & { readonly snapshotOf: string | null } {
  if (!key.startsWith(prefix)) return { ...momentOfKey(key), snapshotOf: null }
  const rest = key.slice(prefix.length)
  const space = rest.indexOf(' ')
  return { ...momentOfKey(rest.slice(space + 1)), snapshotOf: decodeURIComponent(rest.slice(0, space)) }
}
