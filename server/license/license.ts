import type { KeyObject } from 'node:crypto'
import * as z from 'zod/mini'
import { incorrectLicense, licenseExpired } from '../http/api-error.ts'
import type { Store } from '../store/store.ts'
import { readLicense, type LicenseClaims } from './license-text.ts'

export type License = {
  /** The uploaded licence, expired or not. Undefined: the free edition, with all features. */
  current: () => (LicenseClaims & { text: string }) | undefined
  isExpired: () => boolean
  /** Whether a feature may be used: a licence must list those in `licensed` (docs/behaviour.md §1). */
  allows: (feature: string) => boolean
  /** Throws 400 IncorrectLicense for an invalid text, LicenseExpired for an expired licence. */
  upload: (text: string) => Promise<void>
  /** Throws as `upload` does, and keeps nothing. */
  require: (text: string) => void
  /** Reads what another node has uploaded. */
  reload: () => Promise<void>
}

const licensed: ReadonlySet<string> = new Set(['tunnel'])

export const licenseSteps: readonly string[] = [
  'CREATE TABLE licence (id INTEGER PRIMARY KEY CHECK (id = 1), text TEXT NOT NULL) STRICT',
]

export const createLicense = async (store: Store, publicKey: KeyObject, now: () => number): Promise<License> => {
  const read = async () => {
    const { text = '' } = (await store.get(z.object({ text: z.string() }), 'SELECT text FROM licence')) ?? {}
    const known = readLicense(text, publicKey)
    return known === undefined ? undefined : { ...known, text }
  }
  let current = await read()

  const isOver = ({ expiresAt }: LicenseClaims): boolean => expiresAt !== null && expiresAt <= now()

  const check = (given: string): LicenseClaims => {
    const claims = readLicense(given, publicKey)
    if (claims === undefined) throw incorrectLicense()
    if (isOver(claims)) throw licenseExpired()
    return claims
  }

  return {
    current: () => current,
    isExpired: () => current !== undefined && isOver(current),
    allows: (feature) =>
      current === undefined || !licensed.has(feature) || (!isOver(current) && current.features.includes(feature)),
    require: (given) => {
      check(given)
    },
    reload: async () => {
      current = await read()
    },
    upload: async (given) => {
      const claims = check(given)
      const kept = given.trim()
      await store.run(
        'INSERT INTO licence (id, text) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET text = excluded.text',
        kept,
      )
      current = { ...claims, text: kept }
    },
  }
}
