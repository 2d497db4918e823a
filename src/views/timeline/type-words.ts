import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** The name of a type of annotation; undefined for a detector's own type. */
export const typeWord = (type: string): MessageDescriptor | undefined =>
  type === 'event' ? msg`event` : type === 'status' ? msg`status` : type === '' ? msg`annotation` : undefined

const labels: Readonly<Record<string, MessageDescriptor>> = {
  motion: msg`motion`,
  'line crossing': msg`line crossing`,
  intrusion: msg`intrusion`,
  'digital input': msg`digital input`,
  sound: msg`sound`,
}

/** The labels of cameras' own events (docs/wire.md §6.5); undefined for a detector's own label. */
export const labelWord = (label: string): MessageDescriptor | undefined =>
  Object.hasOwn(labels, label) ? labels[label] : undefined
