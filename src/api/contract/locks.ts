import * as z from 'zod/mini'
import { atMost, instant, items, optionalInstant, text } from './wire.ts'

/**
 * /v1/stream/{uid}/archive/locks, feature `locks`: retention and quotas don't delete a locked range until it is
 * unlocked or `expireTime` has passed. `login`: who locked the range.
 */
export const ArchiveLock = z.object({
  id: z.string(),
  startTime: instant,
  endTime: instant,
  reason: text,
  expireTime: optionalInstant,
  login: text,
  createTime: optionalInstant,
})
export type ArchiveLock = z.output<typeof ArchiveLock>
export const ArchiveLocks = items(ArchiveLock)
export const ArchiveLockBody = z.object({
  startTime: instant,
  endTime: instant,
  reason: atMost(500).check(z.trim(), z.minLength(1)),
  expireTime: z.nullish(instant),
})
