import * as z from 'zod/mini'
import { transports } from '../../src/api/contract/passkeys.ts'
import { newId } from '../access/secrets.ts'
import { alreadyUsed, quotaReached } from '../http/api-error.ts'
import { query, type Store } from '../store/store.ts'
import { createChallenges, type Challenges } from './passkey-challenges.ts'

const PasskeyRow = z.object({
  id: z.string(),
  userId: z.string(),
  login: z.string(),
  credentialId: z.instanceof(Uint8Array),
  publicKey: z.instanceof(Uint8Array),
  counter: z.number(),
  /** The id of the relying party: the host name at which the passkey was added, and works. */
  host: z.string(),
  transports: z.string(),
  name: z.string(),
  createdAt: z.number(),
  usedAt: z.nullable(z.number()),
})
export type PasskeyRow = z.output<typeof PasskeyRow>

type NewPasskey = {
  credentialId: string
  publicKey: Uint8Array
  counter: number
  host: string
  transports: readonly string[]
  name: string
}

/** Passkeys by the id of the user. Ids of credentials are base64url. */
export type Passkeys = Challenges & {
  list: (userId: string) => Promise<PasskeyRow[]>
  find: (credentialId: string) => Promise<PasskeyRow | undefined>
  /** Rejects with 403 QuotaReached if the user may add no more. */
  requireQuota: (userId: string) => Promise<void>
  /** Rejects with 409 AlreadyUsed if the credential was added before. */
  add: (userId: string, passkey: NewPasskey) => Promise<PasskeyRow>
  /** False if the user has no such passkey; likewise `remove`. */
  rename: (userId: string, id: string, name: string) => Promise<boolean>
  remove: (userId: string, id: string) => Promise<boolean>
  /** Notes a signature with its counter; false if the counter hasn't grown, so that the passkey may be a copy. */
  use: (id: string, counter: number) => Promise<boolean>
}

const maxPerUser = 20
/** The length of a credential's id in base64url: it has 1023 bytes at most (WebAuthn). */
const maxIdLength = 1364

const columns = `p.id AS id, p.user_id AS userId, u.login AS login, p.credential_id AS credentialId,
  p.public_key AS publicKey, p.counter AS counter, p.host AS host, p.transports AS transports, p.name AS name,
  p.created_at AS createdAt, p.used_at AS usedAt`

const bytesOf = (base64url: string): Buffer => Buffer.from(base64url, 'base64url')

/** The stored transports that this version knows. */
export const transportsOf = (row: Pick<PasskeyRow, 'transports'>) => {
  const stored = row.transports.split(' ')
  return transports.filter((transport) => stored.includes(transport))
}

/** When somebody else has set the password: whoever had the account before loses every way in. */
export const removePasskeys = async (store: Store, userId: string): Promise<void> => {
  await store.run('DELETE FROM passkeys WHERE user_id = ?', userId)
}

export const createPasskeys = (store: Store, serverKey: Buffer, now: () => number): Passkeys => {
  const from = `SELECT ${columns} FROM passkeys p JOIN users u ON u.id = p.user_id`
  const byUser = query(store, PasskeyRow, `${from} WHERE p.user_id = ? ORDER BY p.created_at, p.id`)
  const byCredential = query(store, PasskeyRow, `${from} WHERE p.credential_id = ?`)

  const requireQuota: Passkeys['requireQuota'] = async (userId) => {
    if ((await byUser.all(userId)).length >= maxPerUser) throw quotaReached()
  }
  const find: Passkeys['find'] = async (credentialId) =>
    credentialId === '' || credentialId.length > maxIdLength ? undefined : byCredential.get(bytesOf(credentialId))

  return {
    ...createChallenges(store, serverKey, now),
    list: byUser.all,
    find,
    requireQuota,
    add: (userId, { credentialId, publicKey, counter, host, transports: reported, name }) =>
      store.transaction(async () => {
        await requireQuota(userId)
        if ((await find(credentialId)) !== undefined) throw alreadyUsed({ credential: 'Added before' })
        await store.run(
          `INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, host, transports, name, created_at,
            used_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)`,
          newId(),
          userId,
          bytesOf(credentialId),
          publicKey,
          counter,
          host,
          transports.filter((transport) => reported.includes(transport)).join(' '),
          name,
          now(),
        )
        const added = await find(credentialId)
        if (added === undefined) throw new Error('the new passkey is missing')
        return added
      }),
    rename: async (userId, id, name) =>
      (await store.run('UPDATE passkeys SET name = ? WHERE user_id = ? AND id = ?', name, userId, id)).changes > 0,
    remove: async (userId, id) =>
      (await store.run('DELETE FROM passkeys WHERE user_id = ? AND id = ?', userId, id)).changes > 0,
    use: async (id, counter) => {
      // An authenticator that doesn't count always sends 0.
      const sql = `UPDATE passkeys SET counter = ?, used_at = ?
        WHERE id = ? AND (counter < ? OR (counter = 0 AND ? = 0))`
      return (await store.run(sql, counter, now(), id, counter, counter)).changes > 0
    },
  }
}
