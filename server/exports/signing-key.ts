import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signingKeyName } from '../store/secure-folder.ts'

export type SigningKey = {
  /** Base64 of its 32 bytes. */
  publicKey: string
  /** The 64 bytes of an Ed25519 signature (RFC 8032). */
  sign: (bytes: Buffer) => Buffer
}

/** What exports are signed with: made once, for good, and kept with the server's backup. */
export const readSigningKey = (dataDir: string): SigningKey => {
  const file = join(dataDir, signingKeyName)
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ed25519')
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' })
  }
  const key = createPrivateKey(readFileSync(file))
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  return {
    publicKey: Buffer.from(x, 'base64url').toString('base64'),
    sign: (bytes) => sign(null, bytes, key),
  }
}
