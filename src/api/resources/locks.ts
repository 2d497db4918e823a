import type * as z from 'zod/mini'
import { call, segment } from '../call.ts'
import { ArchiveLock, type ArchiveLockDraft, ArchiveLocks } from '../contract/locks.ts'
import { nothing } from '../contract/wire.ts'
import { mapped } from '../mapped.ts'

const locks = (uid: string) => `/v1/stream/${segment(uid)}/archive/locks`

/** All of these need the feature `locks` and the right to administer the stream. */
export const getLocks = async (uid: string, signal?: AbortSignal) =>
  mapped(await call(ArchiveLocks, { path: locks(uid), signal }), ({ items }) => items)

export const addLock = (uid: string, body: z.input<typeof ArchiveLockDraft>, signal?: AbortSignal) =>
  call(ArchiveLock, { path: locks(uid), method: 'POST', body, signal })

export const removeLock = (uid: string, id: string, signal?: AbortSignal) =>
  call(nothing, { path: `${locks(uid)}/${segment(id)}`, method: 'DELETE', signal })
