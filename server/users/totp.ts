import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import * as z from 'zod/mini'
import { deriveKey, seal, unseal } from '../access/sealing.ts'
import { minuteMs } from '../durations.ts'
import { bit, query, type Store } from '../store/store.ts'

const secretBytes = 20
const periodSeconds = 30
const parameters = { algorithm: 'SHA1', digits: 6, period: periodSeconds }
const recoveryCodeCount = 10
const recoveryDigits = 10
/** How long a new secret waits for its first code. */
const pendingMs = 15 * minuteMs

/** A right code. `left`: after a recovery code, how many are left. */
export type UsedCode = { left?: number }

/** Time-based one-time codes (RFC 6238: SHA-1, 6 digits, 30 s) and recovery codes, by the id of the user. */
export type TotpFactors = {
  /** Makes a secret, in base32, which counts once a code of it was confirmed. Replaces an unconfirmed one. */
  begin: (userId: string) => Promise<string>
  /** Turns the second factor on and returns the recovery codes; undefined if the code is wrong or too late. */
  confirm: (userId: string, code: string) => Promise<string[] | undefined>
  /** Uses a code of the app, or a recovery code; undefined if it is wrong or was used before. */
  use: (userId: string, code: string) => Promise<UsedCode | undefined>
  /** How many recovery codes are left. */
  left: (userId: string) => Promise<number>
  /** Turns the second factor off; false if it was off. */
  remove: (userId: string) => Promise<boolean>
}

const TotpRow = z.object({
  secret: z.instanceof(Uint8Array),
  beganAt: z.number(),
  isConfirmed: bit,
})
const CountRow = z.object({ count: z.number() })

/** The `otpauth:` URL of the QR code. */
export const totpUrl = (secret: string, { issuer, login }: { issuer: string; login: string }): string =>
  new TOTP({ secret, issuer, label: login, ...parameters }).toString()

const createRecoveryCode = (): string => String(randomInt(10 ** recoveryDigits)).padStart(recoveryDigits, '0')

/** Turns the second factor off and deletes an unconfirmed secret; false if it was off. */
export const removeTotp = async (store: Store, userId: string): Promise<boolean> => {
  await store.run('DELETE FROM totp WHERE user_id = ? AND confirmed_at IS NULL', userId)
  return (await store.run('DELETE FROM totp WHERE user_id = ?', userId)).changes > 0
}

/** Encrypts secrets and stores recovery codes as HMACs with the server's key: the database alone reveals neither. */
export const createTotpFactors = (store: Store, serverKey: Buffer, now: () => number): TotpFactors => {
  const encryptionKey = deriveKey(serverKey, 'totp secret')
  const byUser = query(
    store,
    TotpRow,
    `SELECT secret, began_at AS beganAt, CASE WHEN confirmed_at IS NULL THEN 0 ELSE 1 END AS isConfirmed
     FROM totp WHERE user_id = ?`,
  )
  const codeCount = query(store, CountRow, 'SELECT count(*) AS count FROM recovery_codes WHERE user_id = ?')
  const left = async (userId: string): Promise<number> => (await codeCount.get(userId))?.count ?? 0

  /** Encrypts a secret for one user: copied into another user's row, it can't be decrypted. */
  const encrypt = (userId: string, secret: Uint8Array): Buffer => seal(encryptionKey, secret, userId)

  const decrypt = (userId: string, sealed: Uint8Array): Secret =>
    new Secret({ buffer: Uint8Array.from(unseal(encryptionKey, sealed, userId)).buffer })

  const recoveryHash = (userId: string, code: string): Buffer =>
    createHmac('sha256', serverKey).update(['recovery code', userId, code].join('\0')).digest()

  /** The time step of a code: now, the one before or the one after; undefined if it is wrong. */
  const stepOf = (userId: string, row: z.output<typeof TotpRow>, code: string): number | undefined => {
    if (!/^\d{6}$/.test(code)) return undefined
    const timestamp = now()
    const totp = new TOTP({ secret: decrypt(userId, row.secret), ...parameters })
    const delta = totp.validate({ token: code, timestamp, window: 1 })
    return delta === null ? undefined : Math.floor(timestamp / 1000 / periodSeconds) + delta
  }

  const unconfirmedStep = async (userId: string, code: string): Promise<number | undefined> => {
    const row = await byUser.get(userId)
    if (row === undefined || row.isConfirmed || now() - row.beganAt >= pendingMs) return undefined
    return stepOf(userId, row, code)
  }

  const spendRecoveryCode = async (userId: string, code: string): Promise<UsedCode | undefined> => {
    const sql = 'DELETE FROM recovery_codes WHERE user_id = ? AND code_hash = ?'
    const { changes } = await store.run(sql, userId, recoveryHash(userId, code))
    return changes === 0 ? undefined : { left: await left(userId) }
  }

  return {
    begin: async (userId) => {
      const secret = randomBytes(secretBytes)
      await store.run(
        `INSERT INTO totp (user_id, secret, began_at, confirmed_at, last_step) VALUES (?, ?, ?, NULL, 0)
         ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, began_at = excluded.began_at
         WHERE totp.confirmed_at IS NULL`,
        userId,
        encrypt(userId, secret),
        now(),
      )
      return new Secret({ buffer: Uint8Array.from(secret).buffer }).base32
    },
    confirm: (userId, code) =>
      store.transaction(async () => {
        const step = await unconfirmedStep(userId, code)
        if (step === undefined) return undefined
        const sql = 'UPDATE totp SET confirmed_at = ?, last_step = ? WHERE user_id = ?'
        await store.run(sql, now(), step, userId)
        const codes = new Set<string>()
        while (codes.size < recoveryCodeCount) codes.add(createRecoveryCode())
        for (const each of codes) {
          const insert = 'INSERT INTO recovery_codes (user_id, code_hash) VALUES (?, ?)'
          await store.run(insert, userId, recoveryHash(userId, each))
        }
        return [...codes]
      }),
    use: (userId, typed) =>
      store.transaction(async () => {
        const code = typed.replaceAll(/[\s-]/g, '')
        const row = await byUser.get(userId)
        if (row === undefined || !row.isConfirmed) return undefined
        if (code.length === recoveryDigits) return spendRecoveryCode(userId, code)
        const step = stepOf(userId, row, code)
        if (step === undefined) return undefined
        const sql = 'UPDATE totp SET last_step = ? WHERE user_id = ? AND last_step < ?'
        return (await store.run(sql, step, userId, step)).changes === 0 ? undefined : {}
      }),
    left,
    remove: (userId) => removeTotp(store, userId),
  }
}
