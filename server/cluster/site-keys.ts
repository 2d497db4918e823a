import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { readServerKey } from '../access/shares.ts'
import { readSigningKey } from '../exports/signing-key.ts'
import { keyName, signingKeyName } from '../store/secure-folder.ts'
import type { Store } from '../store/store.ts'
import { UsageError } from '../usage-error.ts'
import { clusterSteps } from './tables.ts'

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** What is stored of a key: nonce, tag and the encrypted file. */
const KeyRow = z.object({ sealed: z.instanceof(Uint8Array) })

const encryptionKey = (secret: string, name: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `sightline site key ${name}`, 32))

const seal = (secret: string, name: string, bytes: Buffer): Buffer => {
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, encryptionKey(secret, name), nonce)
  const encrypted = Buffer.concat([sealing.update(bytes), sealing.final()])
  return Buffer.concat([nonce, sealing.getAuthTag(), encrypted])
}

const unseal = (secret: string, name: string, sealed: Buffer): Buffer => {
  const opening = createDecipheriv(cipher, encryptionKey(secret, name), sealed.subarray(0, nonceBytes))
  opening.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    return Buffer.concat([opening.update(sealed.subarray(nonceBytes + tagBytes)), opening.final()])
  } catch {
    throw new UsageError('CLUSTER_SECRET is not that of the other nodes')
  }
}

/** A key that the data folder had before the server joined is kept beside it. */
const writeKey = (file: string, bytes: Buffer): void => {
  if (existsSync(file)) {
    if (readFileSync(file).equals(bytes)) return
    renameSync(file, `${file}.before-cluster`)
  }
  writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' })
}

/** Gives each node the keys of the first one: those of sessions, shares and second factors, and that of exports. */
export const shareSiteKeys = async (store: Store, dataDir: string, secret: string): Promise<void> => {
  await store.migrate('cluster', clusterSteps)
  readServerKey(dataDir)
  readSigningKey(dataDir)
  for (const name of [keyName, signingKeyName]) {
    const file = join(dataDir, name)
    await store.run(
      'INSERT INTO site_keys (name, sealed) VALUES (?, ?) ON CONFLICT (name) DO NOTHING',
      name,
      seal(secret, name, readFileSync(file)),
    )
    const kept = await store.get(KeyRow, 'SELECT sealed FROM site_keys WHERE name = ?', name)
    if (kept !== undefined) writeKey(file, unseal(secret, name, Buffer.from(kept.sealed)))
  }
}
