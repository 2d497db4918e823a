import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { deriveKey, seal, unseal } from '../access/sealing.ts'
import { readServerKey } from '../access/shares.ts'
import { readSigningKey } from '../exports/signing-key.ts'
import { keyName, signingKeyName, writeKeyFile } from '../store/secure-folder.ts'
import type { Store } from '../store/store.ts'
import { UsageError } from '../usage-error.ts'

/** The encrypted content of a key's file. */
const KeyRow = z.object({ sealed: z.instanceof(Uint8Array) })

const encryptionKey = (secret: string, name: string): Buffer => deriveKey(secret, `sightline site key ${name}`)

const unsealed = (secret: string, name: string, sealed: Uint8Array): Buffer => {
  try {
    return unseal(encryptionKey(secret, name), sealed)
  } catch {
    throw new UsageError('CLUSTER_SECRET is not that of the other nodes')
  }
}

/** A key that the data folder had before the server joined is kept as `….before-cluster`. */
const writeKey = (file: string, bytes: Buffer): void => {
  if (existsSync(file)) {
    if (readFileSync(file).equals(bytes)) return
    renameSync(file, `${file}.before-cluster`)
  }
  writeKeyFile(file, bytes)
}

/** Gives each node the keys of the first one: the server's key, and the key that signs exports. */
export const shareSiteKeys = async (store: Store, dataDir: string, secret: string): Promise<void> => {
  // Makes the keys that are missing.
  readServerKey(dataDir)
  readSigningKey(dataDir)
  for (const name of [keyName, signingKeyName]) {
    const file = join(dataDir, name)
    await store.run(
      'INSERT INTO site_keys (name, sealed) VALUES (?, ?) ON CONFLICT (name) DO NOTHING',
      name,
      seal(encryptionKey(secret, name), readFileSync(file)),
    )
    const kept = await store.get(KeyRow, 'SELECT sealed FROM site_keys WHERE name = ?', name)
    if (kept !== undefined) writeKey(file, unsealed(secret, name, kept.sealed))
  }
}
