import * as oidc from 'openid-client'
import type { HealthWarning, ServerContext } from '../context.ts'
import { guarded } from '../guarded.ts'
import { hourMs } from '../durations.ts'
import { monotonicNow } from '../monotonic.ts'
import { SignInFailure, type FailureCode } from './failure.ts'
import type { Flow } from './flow-cookie.ts'
import type { OidcOptions } from './options.ts'
import { namesGroups, personOf, type Person } from './person.ts'

/** How long the provider's metadata is used. */
const discoveredForMs = hourMs
/** A provider that didn't answer isn't asked again sooner. */
const retryMs = 10_000
const timeoutSeconds = 10

/** `refreshToken`: another one, with which to read the person again. */
export type Read = { person: Person; refreshToken: string | undefined }

type Tokens = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers

export type Provider = {
  /**
   * The URL at the provider, and what the callback needs. `mustPrompt`: the provider must ask for a sign-in even if it
   * has a session. Rejects with a SignInFailure, as `finish` does.
   */
  begin: (redirectUri: string, mustPrompt: boolean) => Promise<{ url: string; flow: Flow }>
  /** Who has signed in, by the query of the callback. */
  finish: (flow: Flow, query: Readonly<Record<string, string | undefined>>) => Promise<Read>
  /**
   * Who a user is now. Rejects, too, if the provider doesn't say which groups they are in. `keep` stores another
   * refresh token before the rest is asked, as the one that was used may be void.
   */
  refresh: (
    user: { issuer: string; subject: string; refreshToken: string },
    keep: (refreshToken: string) => Promise<void>,
  ) => Promise<Read>
  health: () => HealthWarning[]
}

/** By HTTP Basic, unless the provider takes the secret in the body alone. */
const authenticationOf = (secret: string): oidc.ClientAuth => {
  if (secret === '') return oidc.None()
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server
    const method = methods.includes('client_secret_basic') ? basic : post
    method(server, ...rest)
  }
}

/** For the log, without the provider's response bodies, which may contain tokens. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError)
    return `${error.message}: ${error.error}`
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

const refusals = new Set([
  'access_denied',
  'consent_required',
  'interaction_required',
  'login_required',
  'unauthorized_client',
])

const codeOf = (error: unknown): FailureCode => {
  if (error instanceof SignInFailure) return error.code
  if (error instanceof oidc.AuthorizationResponseError) return refusals.has(error.error) ? 'denied' : 'failed'
  if (error instanceof oidc.ResponseBodyError) {
    // A code or refresh token that is too old, or was used before.
    if (error.error === 'invalid_grant') return 'expired'
    // Of the token endpoint it may mean a wrong secret.
    return error.error !== 'unauthorized_client' && refusals.has(error.error) ? 'denied' : 'failed'
  }
  const code = error instanceof oidc.ClientError ? error.code : undefined
  // `fetch` rejects with a TypeError if nothing answers.
  const isAway = error instanceof TypeError || code === 'OAUTH_TIMEOUT' || code === 'OAUTH_RESPONSE_IS_NOT_CONFORM'
  return isAway ? 'away' : 'failed'
}

export const createProvider = (
  { issuer, clientId, clientSecret, scope, groupsClaim }: OidcOptions,
  { log }: Pick<ServerContext, 'log'>,
): Provider => {
  const extensions = [
    oidc.enableNonRepudiationChecks,
    ...(issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
  ]
  let known: { at: number; configuration: Promise<oidc.Configuration> } | undefined
  let isAway = false
  let triedAt = -Infinity
  const hasPassed = (ms: number, since: number): boolean => monotonicNow() - since >= ms

  const failureOf = (error: unknown, code: FailureCode): SignInFailure => {
    const reason = reasonOf(error)
    log.warn({ reason }, 'single sign-on: the provider')
    if (code === 'away') {
      isAway = true
      // The metadata is read anew, which says whether the provider is back.
      known = undefined
    }
    return new SignInFailure(code, reason)
  }

  const discover = async (): Promise<oidc.Configuration> => {
    triedAt = monotonicNow()
    try {
      const found = await oidc.discovery(issuer, clientId, undefined, authenticationOf(clientSecret), {
        execute: extensions,
        timeout: timeoutSeconds,
      })
      isAway = false
      return found
    } catch (error) {
      throw failureOf(error, 'away')
    }
  }

  const discovered = (): Promise<oidc.Configuration> => {
    if (known !== undefined && !hasPassed(discoveredForMs, known.at)) return known.configuration
    if (isAway && !hasPassed(retryMs, triedAt))
      return Promise.reject(new SignInFailure('away', 'The provider did not answer a moment ago'))
    known = { at: monotonicNow(), configuration: discover() }
    return known.configuration
  }

  /** Calls the provider. Any answer means that it is there. */
  const ask = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      const answer = await call()
      isAway = false
      return answer
    } catch (error) {
      throw failureOf(error, codeOf(error))
    }
  }

  /** What the provider says of a user, by the id token and userinfo. */
  const claimsOf = async (configuration: oidc.Configuration, tokens: Tokens, subject: string): Promise<object> => {
    const { userinfo_endpoint: infoUrl } = configuration.serverMetadata()
    const info = infoUrl === undefined ? {} : await oidc.fetchUserInfo(configuration, tokens.access_token, subject)
    return { ...info, ...tokens.claims() }
  }

  return {
    begin: async (redirectUri, mustPrompt) => {
      const configuration = await discovered()
      const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()]
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(mustPrompt ? { prompt: 'login' } : {}),
      })
      return { url: url.href, flow: { state, nonce, verifier, redirectUri } }
    },
    finish: async ({ state, nonce, verifier, redirectUri }, query) => {
      // The library compares it too, but then a callback of another sign-in in this browser would be a failure of the
      // provider.
      if (query['state'] !== state) throw new SignInFailure('expired', 'The state is that of another sign-in')
      const configuration = await discovered()
      const url = new URL(redirectUri)
      for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
      return ask(async () => {
        const tokens = await oidc.authorizationCodeGrant(configuration, url, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (claims === undefined) throw new Error('The provider sent no id token')
        const { iss, sub } = claims
        const all = await claimsOf(configuration, tokens, sub)
        const person = personOf({ issuer: iss, subject: sub }, all, groupsClaim)
        return { person, refreshToken: tokens.refresh_token }
      })
    },
    refresh: async ({ issuer: itsIssuer, subject, refreshToken }, keep) => {
      const configuration = await discovered()
      if (configuration.serverMetadata().issuer !== itsIssuer) throw new SignInFailure('denied', 'Of another provider')
      const tokens = await ask(async () => {
        const granted = await oidc.refreshTokenGrant(configuration, refreshToken)
        const { sub = subject } = granted.claims() ?? {}
        if (sub !== subject) throw new SignInFailure('denied', 'The refresh token is that of another user')
        return granted
      })
      // Outside of `ask`, as a database that is away is no failure of the provider.
      if (tokens.refresh_token !== undefined) await keep(tokens.refresh_token)
      return ask(async () => {
        const all = await claimsOf(configuration, tokens, subject)
        if (!namesGroups(all, groupsClaim))
          throw new SignInFailure('denied', 'The provider names no groups without a sign-in')
        const person = personOf({ issuer: itsIssuer, subject }, all, groupsClaim)
        return { person, refreshToken: tokens.refresh_token }
      })
    },
    health: () => {
      if (!isAway) return []
      // Retries here, so that the warning can end without a sign-in.
      if (hasPassed(retryMs, triedAt)) guarded('single sign-on: retry', () => discovered().catch(() => undefined))()
      return [{ code: 'OIDC_AWAY', isPrivate: true }]
    },
  }
}
