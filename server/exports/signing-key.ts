import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { signingKeyName, writeKeyFile } from '../store/secure-folder.ts'

export type SigningKey = {
  /** The 32 bytes of the public key in Base64. */
  publicKey: string
  /** Returns the 64 bytes of an Ed25519 signature (RFC 8032). */
  sign: (bytes: Buffer) => Buffer
}

/** Reads the key pair that signs exports. It is made on first use, never changes, and is part of a backup. */
export const readSigningKey = (dataDir: string): SigningKey => {
  const file = join(dataDir, signingKeyName)
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ed25519')
    writeKeyFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  }
  const key = createPrivateKey(readFileSync(file))
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  return {
    publicKey: Buffer.from(x, 'base64url').toString('base64'),
    sign: (bytes) => sign(null, bytes, key),
  }
}
