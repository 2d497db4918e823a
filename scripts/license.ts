import { createHash, createPrivateKey, randomUUID } from 'node:crypto'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { writeLicense, type LicenseClaims } from '../server/license/license-text.ts'

/**
 * Makes licences for tests and demos. Their key is public: it is derived from the text below, and only servers without
 * LICENSE_PUBLIC_KEY accept it.
 */
const seed = createHash('sha256').update('sightline demo licence').digest()
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')
const demoPrivateKey = createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' })

export const makeDemoLicense = (claims: Omit<LicenseClaims, 'id'>): string =>
  writeLicense({ id: randomUUID(), ...claims }, demoPrivateKey)

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      days: { type: 'string', default: '365' },
      features: { type: 'string', default: 'tunnel,cluster' },
      licensee: { type: 'string', default: 'Demo' },
    },
  })
  const issuedAt = Date.now()
  process.stdout.write(
    makeDemoLicense({
      licensee: values.licensee,
      features: values.features.split(',').filter((feature) => feature !== ''),
      issuedAt,
      expiresAt: issuedAt + Number(values.days) * 86_400_000,
    }),
  )
}
