import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type {
  Assertion,
  NewCredential,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '../../../src/api/contract/passkeys.ts'

type Cbor = number | string | Buffer | Map<number | string, Cbor>

const head = (type: number, value: number): Buffer => {
  if (value < 24) return Buffer.from([(type << 5) | value])
  if (value < 256) return Buffer.from([(type << 5) | 24, value])
  return Buffer.from([(type << 5) | 25, value >> 8, value & 255])
}

/** CBOR (RFC 8949) of what WebAuthn needs. */
export const cbor = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])])
}

const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest()
const base64url = (bytes: string | Buffer): string => Buffer.from(bytes).toString('base64url')

const isPresent = 0x01
const isVerified = 0x04
const hasCredential = 0x40
export const onlyPresent = isPresent

/** What a test changes about an answer. */
export type Tweaks = {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  flags?: number
  counter?: number
  userHandle?: string
  fmt?: string
}

const clientDataOf = (type: string, challenge: string, { origin = 'http://localhost', ...tweaks }: Tweaks): Buffer =>
  Buffer.from(
    JSON.stringify({ type: tweaks.type ?? type, challenge: tweaks.challenge ?? challenge, origin, crossOrigin: false }),
  )

const authenticatorData = (rpId: string, flags: number, counter: number, rest = Buffer.alloc(0)): Buffer => {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, rest])
}

/** An authenticator in software that keeps one passkey (ES256) and verifies its user. */
export const createAuthenticator = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const key = new Map<number, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ])
  const credentialId = randomBytes(32)
  let owner = ''
  let counter = 0

  return {
    id: base64url(credentialId),
    create: ({ rp, challenge, user }: PasskeyCreationOptions, tweaks: Tweaks = {}): NewCredential => {
      owner = user.id
      const length = Buffer.from([0, credentialId.length])
      const credential = Buffer.concat([Buffer.alloc(16), length, credentialId, cbor(key)])
      const flags = (tweaks.flags ?? isPresent | isVerified) | hasCredential
      const authData = authenticatorData(tweaks.rpId ?? rp.id, flags, tweaks.counter ?? 0, credential)
      const attestation = new Map<string, Cbor>([
        ['fmt', tweaks.fmt ?? 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      return {
        id: base64url(credentialId),
        response: {
          clientDataJSON: base64url(clientDataOf('webauthn.create', challenge, tweaks)),
          attestationObject: base64url(cbor(attestation)),
          transports: ['internal', 'hybrid', 'telepathy'],
        },
      }
    },
    /** Each signature has the next counter, unless a test gives one. */
    get: ({ rpId, challenge }: PasskeyRequestOptions, tweaks: Tweaks = {}): Assertion => {
      counter = tweaks.counter ?? counter + 1
      const clientData = clientDataOf('webauthn.get', challenge, tweaks)
      const data = authenticatorData(tweaks.rpId ?? rpId, tweaks.flags ?? isPresent | isVerified, counter)
      return {
        id: base64url(credentialId),
        response: {
          clientDataJSON: base64url(clientData),
          authenticatorData: base64url(data),
          signature: base64url(sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey)),
          userHandle: tweaks.userHandle ?? owner,
        },
      }
    },
  }
}

export type Authenticator = ReturnType<typeof createAuthenticator>
