import { createHash, randomBytes } from 'node:crypto'
import { deriveKey, seal, unseal } from '../access/sealing.ts'
import { minuteMs } from '../durations.ts'
import type { Store } from '../store/store.ts'

/**
 * What a challenge is for: adding a passkey or signing in (a *ceremony* of WebAuthn), by one session (its id; empty
 * before signing in), at one relying party (`host`: its id).
 */
type ChallengePurpose = { ceremony: 'add' | 'sign-in'; session: string; host: string }

/**
 * Challenges travel in a sealed cookie of the browser that asked for them, so that any node can check the answer and
 * asking costs no write. The database keeps the answered ones until they expire, so that each counts once.
 */
export type Challenges = {
  /** `challenge` is base64url; `sealed` goes into the cookie. */
  begin: (purpose: ChallengePurpose) => { challenge: string; sealed: string }
  /**
   * The challenge of a cookie; undefined if it is missing, forged, expired, answered before, or of another ceremony,
   * session or relying party. Rejects if the database is away.
   */
  spend: (sealed: string | undefined, purpose: ChallengePurpose) => Promise<string | undefined>
}

/** How long a challenge can be answered. */
export const challengeMs = 5 * minuteMs
const challengeBytes = 32
const expiryBytes = 8
/** Characters: more than any sealed challenge has. */
const maxSealedLength = 200

const contextOf = ({ ceremony, session, host }: ChallengePurpose): string => [ceremony, session, host].join(' ')

export const createChallenges = (store: Store, serverKey: Buffer, now: () => number): Challenges => {
  const key = deriveKey(serverKey, 'passkey challenge')

  const open = (sealed: string, purpose: ChallengePurpose): Buffer | undefined => {
    if (sealed.length > maxSealedLength) return undefined
    try {
      return unseal(key, Buffer.from(sealed, 'base64url'), contextOf(purpose))
    } catch {
      return undefined
    }
  }

  return {
    begin: (purpose) => {
      const challenge = randomBytes(challengeBytes)
      const expiry = Buffer.alloc(expiryBytes)
      expiry.writeBigUInt64BE(BigInt(now() + challengeMs))
      const sealed = seal(key, Buffer.concat([challenge, expiry]), contextOf(purpose))
      return { challenge: challenge.toString('base64url'), sealed: sealed.toString('base64url') }
    },
    spend: async (sealed = '', purpose) => {
      const opened = open(sealed, purpose)
      if (opened === undefined) return undefined
      const challenge = opened.subarray(0, challengeBytes)
      const expiresAt = Number(opened.readBigUInt64BE(challengeBytes))
      if (now() >= expiresAt) return undefined
      const isFirst = await store.transaction(async () => {
        await store.run('DELETE FROM spent_challenges WHERE expires_at <= ?', now())
        const sql = 'INSERT INTO spent_challenges (challenge_hash, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING'
        const hash = createHash('sha256').update(challenge).digest()
        return (await store.run(sql, hash, expiresAt)).changes > 0
      })
      return isFirst ? challenge.toString('base64url') : undefined
    },
  }
}
