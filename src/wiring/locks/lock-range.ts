import { addLock } from '../../api/resources/locks.ts'
import type { LockValues } from '../../machines/locks/locks.machine.ts'

const dayMs = 86_400_000
const iso = (at: number) => new Date(at).toISOString()

export function lockRange({ uid, from, to, reason, days }: LockValues, signal: AbortSignal) {
  const expiry = days === '' ? {} : { expireTime: iso(Date.now() + Number(days) * dayMs) }
  return addLock(uid, { startTime: iso(from), endTime: iso(to), reason: reason.trim(), ...expiry }, signal)
}
