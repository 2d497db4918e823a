import type * as z from 'zod/mini'
import { call, pathSegment } from '../call.ts'
import { type ArchiveLockBody, ArchiveLocks } from '../contract/locks.ts'
import { nothing } from '../contract/wire.ts'
import { mapReply } from '../map-reply.ts'

const locks = (uid: string) => `/v1/stream/${pathSegment(uid)}/archive/locks`

/** The calls of this file: only with the feature `locks` and with `canAdmin` of the stream. */
export const getLocks = async (uid: string, signal?: AbortSignal) =>
  mapReply(await call(ArchiveLocks, { path: locks(uid), signal }), ({ items }) => items)

/** The answer may be empty: request the list again. */
export const addLock = (uid: string, body: z.input<typeof ArchiveLockBody>, signal?: AbortSignal) =>
  call(nothing, { path: locks(uid), method: 'POST', body, signal })

export const removeLock = (uid: string, id: string, signal?: AbortSignal) =>
  call(nothing, { path: `${locks(uid)}/${pathSegment(id)}`, method: 'DELETE', signal })
