import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, for a cookie, a Bearer token or a share. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** Longer than any secret, and what is longer is hashed only so far: cut or whole, it is none. */
const secretAtMost = 200

/** What the database keeps of a secret; looking it up by this hash is the constant-time comparison. */
export const hashSecret = (secret: string): Buffer =>
  createHash('sha256').update(secret.slice(0, secretAtMost)).digest()

/** An id that says nothing. It begins with a letter or digit, so that neither a command line nor a spreadsheet takes it for more. */
export const newId = (): string => {
  const id = randomBytes(9).toString('base64url')
  return /^[a-z0-9]/i.test(id) ? id : newId()
}
