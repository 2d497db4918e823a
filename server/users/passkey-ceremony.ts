import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Assertion, NewCredential } from '../../src/api/contract/passkeys.ts'
import { actionNotAcceptable } from '../http/api-error.ts'
import { createHostCookie } from '../http/host-cookie.ts'
import { challengeMs } from './passkey-challenges.ts'
import type { PasskeyRow } from './passkeys.ts'
import { relyingPartyOf, type RelyingParty } from './relying-party.ts'

/** The largest body of an answer, in bytes: base64url needs no escapes in JSON. */
export const answerLimit = 16 * 1024

/** COSE: Ed25519, ES256 and RS256. */
export const algorithms = [-8, -7, -257]

type Cookies = Pick<FastifyRequest, 'protocol' | 'cookies'>

const cookie = createHostCookie('passkey', 'strict')

export const sealedChallengeOf = (request: Cookies): string | undefined => cookie.read(request)

export const setChallengeCookie = (request: Cookies, reply: FastifyReply, sealed: string): void =>
  cookie.set(request, reply, sealed, challengeMs)

/** Throws 409 where browsers refuse passkeys. */
export const requireRelyingParty = (request: FastifyRequest): RelyingParty => {
  const relyingParty = relyingPartyOf(request)
  if (relyingParty === undefined) throw actionNotAcceptable('Passkeys need HTTPS and a host name')
  return relyingParty
}

/** Loaded by the first answer that is checked, as its certificates take some time. */
const library = () => import('@simplewebauthn/server')

type Expected = { relyingParty: RelyingParty; challenge: string }

const expectedOf = ({ relyingParty: { id, origin }, challenge }: Expected) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: id,
  requireUserVerification: true,
})

/**
 * Checks the answer to a request for a new passkey; undefined if it doesn't answer this request. All attestations are
 * refused: none is requested, and checking one with certificates fetches addresses that it names.
 */
export const verifyNewCredential = async ({ id, response }: NewCredential, expected: Expected) => {
  const [{ verifyRegistrationResponse }, { decodeAttestationObject }] = await Promise.all([
    library(),
    import('@simplewebauthn/server/helpers'),
  ])
  try {
    const attestation = decodeAttestationObject(Buffer.from(response.attestationObject, 'base64url'))
    if (attestation.get('fmt') !== 'none') return undefined
    const { clientDataJSON, attestationObject } = response
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      supportedAlgorithmIDs: algorithms,
      ...expectedOf(expected),
    })
    return registrationInfo?.credential
  } catch {
    return undefined
  }
}

/** Checks a signature by a stored passkey and returns its counter; undefined if it doesn't answer this request. */
export const verifyAssertion = async (
  { id, response }: Assertion,
  { publicKey }: Pick<PasskeyRow, 'publicKey'>,
  expected: Expected,
): Promise<number | undefined> => {
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
      // The database compares the counters, as two signatures may come at once.
      credential: { id, publicKey: Uint8Array.from(publicKey), counter: 0 },
      ...expectedOf(expected),
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    return undefined
  }
}
