import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import * as z from 'zod/mini'
import { instant } from '../../src/api/contract/wire.ts'
import { parseJson } from '../parse-json.ts'

/** A licence: JSON claims with an Ed25519 signature, as text `base64url(claims).base64url(signature)`. */
const Claims = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(100)),
  licensee: z.string().check(z.maxLength(200)),
  features: z.array(z.string().check(z.maxLength(100))).check(z.maxLength(100)),
  issuedAt: instant,
  /** null: never. */
  expiresAt: z.nullable(instant),
})
export type LicenseClaims = z.output<typeof Claims>

const head = '-----BEGIN SIGHTLINE LICENSE-----'
const foot = '-----END SIGHTLINE LICENSE-----'
const maxTextLength = 20_000
const lineLength = 64

export const readPublicKey = (x: string): KeyObject =>
  createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })

/** Verifies the demo licences of `npm run licence`; LICENSE_PUBLIC_KEY replaces it. */
export const demoPublicKey = readPublicKey('LqyUN0h_ZHbO573OTCg1OdvXiRXm12VkSWTWxIM9hEo')

export const writeLicense = (claims: LicenseClaims, privateKey: KeyObject): string => {
  const payload = Buffer.from(JSON.stringify(z.encode(Claims, claims)))
  const body = `${payload.toString('base64url')}.${sign(null, payload, privateKey).toString('base64url')}`
  const lines = body.match(new RegExp(`.{1,${lineLength}}`, 'g')) ?? []
  return [head, ...lines, foot, ''].join('\n')
}

/** The claims of a licence; undefined if the text is invalid, altered or signed by another key. */
export const readLicense = (text: string, publicKey: KeyObject): LicenseClaims | undefined => {
  if (text.length > maxTextLength) return undefined
  const [payloadText, signatureText, ...more] = text.replaceAll(/-----[A-Z ]+-----|\s/g, '').split('.')
  if (payloadText === undefined || signatureText === undefined || more.length > 0) return undefined
  const payload = Buffer.from(payloadText, 'base64url')
  const signature = Buffer.from(signatureText, 'base64url')
  if (signature.length !== 64 || !verify(null, payload, publicKey, signature)) return undefined
  return parseJson(Claims, payload.toString())
}
