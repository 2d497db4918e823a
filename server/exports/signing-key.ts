import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { signingKeyName, writeKeyFile } from '../store/secure-folder.ts'
import { UsageError } from '../usage-error.ts'

export type SigningKey = {
  /** The 32 bytes of the public key in Base64. */
  publicKey: string
  /** Returns the 64 bytes of an Ed25519 signature (RFC 8032). */
  sign: (bytes: Buffer) => Buffer
}

const keyIn = (file: string): KeyObject => {
  const pem = readFileSync(file)
  try {
    return createPrivateKey(pem)
  } catch {
    throw new UsageError(`${file} is damaged: restore it from a backup`)
  }
}

/**
 * Reads the key pair that signs exports. It is made on first use, never changes, and is part of a backup. Throws
 * `UsageError` if the file is damaged.
 */
export const readSigningKey = (dataDir: string): SigningKey => {
  const file = join(dataDir, signingKeyName)
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ed25519')
    writeKeyFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  }
  const key = keyIn(file)
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  return {
    publicKey: Buffer.from(x, 'base64url').toString('base64'),
    sign: (bytes) => sign(null, bytes, key),
  }
}
