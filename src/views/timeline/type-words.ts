import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** The name of a type of annotation; undefined for a detector's own type. */
export const typeWord = (type: string): MessageDescriptor | undefined =>
  type === 'event' ? msg`event` : type === 'status' ? msg`status` : type === '' ? msg`annotation` : undefined

/** The labels of cameras' own events (docs/wire.md §6.5). */
export const cameraLabels: Readonly<Record<string, MessageDescriptor>> = {
  motion: msg`motion`,
  'line crossing': msg`line crossing`,
  intrusion: msg`intrusion`,
  'digital input': msg`digital input`,
  sound: msg`sound`,
}

/** The name of a camera's own event; undefined for a detector's own label. */
export const labelWord = (label: string): MessageDescriptor | undefined =>
  Object.hasOwn(cameraLabels, label) ? cameraLabels[label] : undefined
