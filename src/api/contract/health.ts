import * as z from 'zod/mini'
import { extension, flag, list, numberOr, optionalInstant, text } from './wire.ts'

/**
 * A banner; its `code` decides which of the other fields it has (docs/behaviour.md §4.4). `usedPercent`: of the disk;
 * `donePercent`: of the repacking; `volumes`: what the warning is about (volumes, a bucket, files or streams) with the
 * size of its recordings; `nodes`: the names of the nodes of a cluster that it concerns.
 */
export const HealthWarning = z.object({
  code: text,
  expiresAt: optionalInstant,
  usedPercent: z.optional(z.number()),
  donePercent: extension(z.number()),
  volumes: extension(list(z.object({ path: z.string(), bytes: numberOr(0) }))),
  nodes: extension(list(z.string())),
})
export type HealthWarning = z.output<typeof HealthWarning>
/** `build`: the name of the script that the console of this server begins with; absent if it isn't built. */
export const Health = z.object({ version: text, build: extension(z.string()), warnings: list(HealthWarning) })
export type Health = z.output<typeof Health>

/** The status is 200 if every check is `ok`, else 503. */
export const Ready = z.object({ checks: list(z.object({ name: z.string(), ok: flag })) })
export type Ready = z.output<typeof Ready>

export const VersionCheck = z.object({ version: z.string(), url: text })
