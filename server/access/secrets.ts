import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, for a cookie, a Bearer token or a share. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** What the database keeps of a secret; looking it up by this hash is the constant-time comparison. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** An id that says nothing. */
export const newId = (): string => randomBytes(9).toString('base64url')
