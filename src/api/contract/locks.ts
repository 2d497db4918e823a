import * as z from 'zod/mini'
import { atMost, instant, items, optionalInstant, text } from './wire.ts'

/**
 * Under /v1/stream/{uid}/archive/, feature `locks`: locked ranges survive retention and quotas until they are unlocked
 * or `expireTime`. `login`: who locked it, at `createTime`.
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
