import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { formatNumber } from '../../i18n/formats.ts'

/** What a type of annotation is called; undefined for one that only its detector knows. */
export const typeWord = (type: string): MessageDescriptor | undefined =>
  type === 'event' ? msg`event` : type === 'status' ? msg`status` : type === '' ? msg`annotation` : undefined

/** How sure a detector is. */
export const shareText = (score: number): string => formatNumber(score, { style: 'percent', maximumFractionDigits: 0 })
