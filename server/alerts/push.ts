import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  type ECDH,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import * as z from 'zod/mini'
import { hourMs } from '../durations.ts'
import { parseJson } from '../parse-json.ts'

const curve = 'prime256v1'
const recordBytes = 4096
const tokenLifetimeMs = 12 * hourMs

const base64url = (bytes: number) =>
  z.string().check(
    z.regex(/^[\w-]+={0,2}$/),
    z.refine((text) => bytesOf(text).length === bytes),
  )
const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url')

/** The push subscription of a browser. Its JSON is the address of an alert's destination of kind `push`. */
const Subscription = z.object({
  endpoint: z.string().check(
    z.maxLength(1500),
    z.refine((text) => URL.canParse(text)),
  ),
  keys: z.object({ p256dh: base64url(65), auth: base64url(16) }),
})
export type Subscription = z.output<typeof Subscription>

const newKeys = (): ECDH => {
  const keys = createECDH(curve)
  keys.generateKeys()
  return keys
}

const isOnCurve = ({ keys }: Subscription): boolean => {
  try {
    return newKeys().computeSecret(bytesOf(keys.p256dh)).length > 0
  } catch {
    return false
  }
}

/** The origin of a subscription's push service; empty if the address isn't a subscription. */
export const pushOriginOf = (address: string): string =>
  URL.parse(parseJson(Subscription, address)?.endpoint ?? '')?.origin ?? ''

/** Undefined if the address isn't a subscription, or its key isn't valid. */
export const subscriptionOf = (address: string): Subscription | undefined => {
  const known = parseJson(Subscription, address)
  return known !== undefined && isOnCurve(known) ? known : undefined
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))

/**
 * The body of a push message, of at most 3,993 bytes of text: one record of aes128gcm (RFC 8188) with the keys of RFC
 * 8291. Throws if the subscription's key isn't on the curve. Tests set `salt` and `own`.
 */
export const encryptFor = (
  { keys }: Subscription,
  text: string,
  salt: Buffer = randomBytes(16),
  own: ECDH = newKeys(),
): Buffer => {
  const theirs = bytesOf(keys.p256dh)
  const ours = own.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours])
  const secret = derive(own.computeSecret(theirs), bytesOf(keys.auth), info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const sealed = [cipher.update(Buffer.concat([Buffer.from(text), Buffer.from([2])])), cipher.final()]
  const size = Buffer.alloc(4)
  size.writeUInt32BE(recordBytes)
  return Buffer.concat([salt, size, Buffer.from([ours.length]), ours, ...sealed, cipher.getAuthTag()])
}

export type PushKey = {
  /** The public point in base64url, which browsers take as `applicationServerKey`. */
  publicKey: string
  /** The Authorization header that identifies this server to a push service (VAPID, RFC 8292). */
  authorize: (endpoint: string, contact: string, now: number) => string
}

/** Derived from the server's key, so that subscriptions stay valid after a restore. */
export const pushKeyOf = (serverKey: Buffer): PushKey => {
  const own = createECDH(curve)
  own.setPrivateKey(derive(serverKey, Buffer.alloc(0), Buffer.from('push'), 32))
  const point = own.getPublicKey()
  const key: KeyObject = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
      d: own.getPrivateKey('base64url'),
    },
  })
  const publicKey = point.toString('base64url')
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return {
    publicKey,
    authorize: (endpoint, contact, now) => {
      const claims = { aud: new URL(endpoint).origin, exp: Math.floor((now + tokenLifetimeMs) / 1000), sub: contact }
      const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`
      const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
      return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`
    },
  }
}
