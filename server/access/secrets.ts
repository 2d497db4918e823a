import { createHash, randomBytes } from 'node:crypto'

export const newSecret = (): string => randomBytes(32).toString('base64url')

/** Longer than any secret, to bound hashing. */
const maxSecretLength = 200

/**
 * The stored form of a secret. It is looked up by its hash, so the time of a comparison reveals nothing of the secret.
 */
export const hashSecret = (secret: string): Buffer =>
  createHash('sha256').update(secret.slice(0, maxSecretLength)).digest()

/** A random id. It begins with a letter or digit, so that it is never read as a command-line option or a formula. */
export const newId = (): string => {
  const id = randomBytes(9).toString('base64url')
  return /^[a-z0-9]/i.test(id) ? id : newId()
}
