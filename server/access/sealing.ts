import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const cipherName = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** A key of 32 bytes for one purpose, by HKDF-SHA-256. */
export const deriveKey = (secret: string | Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))

/** Encrypts with AES-256-GCM: nonce, tag, ciphertext. `context`, which isn't stored, must be the same to decrypt. */
export const seal = (key: Buffer, bytes: Uint8Array, context = ''): Buffer => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(cipherName, key, nonce).setAAD(Buffer.from(context))
  const encrypted = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
}

/** Throws if another key or context sealed it, or if it was changed. */
export const unseal = (key: Buffer, sealed: Uint8Array, context = ''): Buffer => {
  const decipher = createDecipheriv(cipherName, key, sealed.subarray(0, nonceBytes))
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()])
}
