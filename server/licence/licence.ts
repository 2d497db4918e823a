import type { KeyObject } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'
import { incorrectLicense, licenseExpired } from '../http/api-error.ts'
import { migrate, query } from '../store/database.ts'
import { readLicence, type LicenceClaims } from './licence-text.ts'

export type Licence = {
  /** The one that was uploaded, expired or not; without one it is the free edition, in which everything works. */
  current: () => (LicenceClaims & { text: string }) | undefined
  isExpired: () => boolean
  /** Whether this feature of the server may be used now: some need to be in the licence (docs/behaviour.md §1), where there is one. */
  allows: (feature: string) => boolean
  /** 400 IncorrectLicense for a text that is none, and LicenseExpired for one whose time is over. */
  upload: (text: string) => void
  /** Throws what `upload` would. */
  require: (text: string) => void
}

const licensed: ReadonlySet<string> = new Set(['tunnel'])

const steps: readonly string[] = [
  'CREATE TABLE licence (id INTEGER PRIMARY KEY CHECK (id = 1), text TEXT NOT NULL) STRICT',
]

export const createLicence = (db: DatabaseSync, publicKey: KeyObject, now: () => number): Licence => {
  migrate(db, 'licence', steps)
  const text = query(db, z.object({ text: z.string() }), 'SELECT text FROM licence').get()?.text ?? ''
  const known = readLicence(text, publicKey)
  let current = known === undefined ? undefined : { ...known, text }

  const isOver = ({ expiresAt }: LicenceClaims): boolean => expiresAt !== null && expiresAt <= now()

  const check = (given: string): LicenceClaims => {
    const claims = readLicence(given, publicKey)
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
    upload: (given) => {
      const claims = check(given)
      const kept = given.trim()
      db.prepare('INSERT OR REPLACE INTO licence (id, text) VALUES (1, ?)').run(kept)
      current = { ...claims, text: kept }
    },
  }
}
