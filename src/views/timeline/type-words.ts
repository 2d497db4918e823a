import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { formatNumber } from '../../i18n/formats.ts'

/** The name of a type of annotation; undefined for a detector's own type. */
export const typeWord = (type: string): MessageDescriptor | undefined =>
  type === 'event' ? msg`event` : type === 'status' ? msg`status` : type === '' ? msg`annotation` : undefined

/** A detector's score as a percentage. */
export const shareText = (score: number): string => formatNumber(score, { style: 'percent', maximumFractionDigits: 0 })
