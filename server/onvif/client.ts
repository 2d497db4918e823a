import { createAuthorizer, type Credentials } from '../media/authorization.ts'
import { ConnectFailure } from '../media/address.ts'
import type { FailureReason } from '../media/failures.ts'
import { pathOf } from '../media/http-exchange.ts'
import { exchangeSoap, type SoapResponse } from './exchange.ts'
import { bodyOf, envelope, isUnauthorizedFault, usernameToken } from './soap.ts'
import type { Element } from './xml.ts'

export type CameraFailureReason = FailureReason | 'Not an ONVIF camera' | 'The camera answered with a fault'

export class CameraFailure extends Error {
  readonly reason: CameraFailureReason
  constructor(reason: CameraFailureReason) {
    super(reason)
    this.reason = reason
  }
}

export type CallOptions = {
  /** The call needs no login, and none is sent. */
  isAnonymous?: boolean
  /** What the SOAP header has besides the login. */
  header?: string
  timeoutMs?: number
  maxBodyBytes?: number
  /** Ends this call alone. */
  signal?: AbortSignal
}
export type CameraClient = (url: URL, request: string, options?: CallOptions) => Promise<Element>

type ClientOptions = {
  credentials: Credentials
  allowLoopback: boolean
  /** Epoch milliseconds by the camera's clock. */
  now: () => number
  signal: AbortSignal
}

/**
 * The first attempt has no challenge to answer, and the nonce of each further one may be used up by parallel calls: a
 * camera that pulls events is moved, too.
 */
const maxAttempts = 6
/** Attempts without a call that is accepted meanwhile: cameras lock out a client that repeats a wrong password. */
const maxInVain = 3

const failureOf = (error: unknown): CameraFailure =>
  new CameraFailure(error instanceof ConnectFailure ? error.code : 'EHOSTUNREACH')

/**
 * Calls one camera. It authenticates by the digest of WS-Security, and by HTTP Digest if the camera requires that. HTTP
 * Basic is refused, as it would send the password to anything that claims to be a camera. Throws CameraFailure.
 */
export const createCameraClient = ({ credentials, allowLoopback, now, signal }: ClientOptions): CameraClient => {
  const hasLogin = credentials.username !== '' || credentials.password !== ''
  const authorizer = createAuthorizer(credentials)
  let accepted = 0

  const exchange = async (url: URL, request: string, options: CallOptions): Promise<SoapResponse> => {
    const { isAnonymous = false, header = '', signal: own, ...limits } = options
    const callSignal = own === undefined ? signal : AbortSignal.any([signal, own])
    let [inVain, acceptedBefore] = [0, accepted]
    for (let attempt = 1; ; attempt += 1) {
      const sent = isAnonymous ? undefined : authorizer.authorize('POST', pathOf(url))
      if (sent?.value.startsWith('Basic') === true) throw new CameraFailure('HTTP_UNAUTHORIZED')
      const token = isAnonymous || !hasLogin || sent !== undefined ? '' : usernameToken(credentials, now())
      const answer = await exchangeSoap(url, envelope(request, header + token), {
        ...limits,
        allowLoopback,
        authorization: sent?.value,
        signal: callSignal,
      }).catch((error: unknown) => {
        throw failureOf(error)
      })
      if (sent !== undefined && answer.status < 300) accepted += 1
      inVain = accepted === acceptedBefore ? inVain + 1 : 1
      acceptedBefore = accepted
      const isChallenged = hasLogin && !isAnonymous && authorizer.answered(answer.status, answer.challenges, sent)
      if (!isChallenged || attempt >= maxAttempts || inVain >= maxInVain) return answer
    }
  }

  return async (url, request, options = {}) => {
    const { status, body } = await exchange(url, request, options)
    const found = bodyOf(body)
    if (status === 401 || status === 403) throw new CameraFailure('HTTP_UNAUTHORIZED')
    if (found?.name === 'Fault')
      throw new CameraFailure(isUnauthorizedFault(found) ? 'HTTP_UNAUTHORIZED' : 'The camera answered with a fault')
    if (found === undefined || status < 200 || status > 299) throw new CameraFailure('Not an ONVIF camera')
    return found
  }
}
