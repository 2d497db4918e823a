import { expect } from 'vitest'
import * as z from 'zod/mini'
import { Passkey, PasskeyCreationOptions, PasskeyRequestOptions } from '../../../src/api/contract/passkeys.ts'
import { createAuthenticator, type Authenticator, type Tweaks } from './authenticator.ts'
import { password, startServer, type Harness } from '../fixtures/harness.ts'

type Headers = Record<string, string>

/** Browsers that add passkeys and sign in with them. */
export const passkeyBrowsers = ({ ask, signIn }: Pick<Harness, 'ask' | 'signIn'>) => {
  const beginAdding = async (cookie: string, typed = password, headers: Headers = {}) => {
    const answer = await ask('POST', '/v1/user/passkeys/options', { cookie, body: { password: typed }, headers })
    return { ...answer, cookies: `${cookie}; ${answer.cookie ?? ''}` }
  }
  const finishAdding = (cookie: string, credential: unknown, name = 'Laptop', headers: Headers = {}) =>
    ask('POST', '/v1/user/passkeys', { cookie, body: { name, credential }, headers })

  const add = async (cookie: string, authenticator: Authenticator, tweaks: Tweaks = {}, headers: Headers = {}) => {
    const { body, cookies } = await beginAdding(cookie, password, headers)
    const created = authenticator.create(z.parse(PasskeyCreationOptions, body), tweaks)
    return finishAdding(cookies, created, 'Laptop', headers)
  }
  /** A passkey of a user, who signs in by password and adds it. */
  const passkeyOf = async (login: string) => {
    const cookie = await signIn(login)
    const authenticator = createAuthenticator()
    const passkey = z.parse(Passkey, (await add(cookie, authenticator)).body)
    return { cookie, authenticator, id: passkey.id }
  }

  const beginSignIn = async (headers: Headers = {}) => {
    const { body, cookie } = await ask('POST', '/v1/sign-in/passkey/options', { headers })
    return { options: z.parse(PasskeyRequestOptions, body), cookie }
  }
  const finishSignIn = async (assertion: unknown, cookie: string | undefined, ip = '192.0.2.1', headers = {}) => {
    const answer = await ask('POST', '/v1/sign-in/passkey', { body: assertion, cookie, ip, headers })
    return { status: answer.status, body: answer.body, cookie: answer.cookie }
  }
  const signInWith = async (authenticator: Authenticator, tweaks: Tweaks = {}, headers: Headers = {}) => {
    const { options, cookie } = await beginSignIn(headers)
    return finishSignIn(authenticator.get(options, tweaks), cookie, '192.0.2.1', headers)
  }
  return { beginAdding, finishAdding, add, passkeyOf, beginSignIn, finishSignIn, signInWith }
}

/** A server with the users Ann and Bob, and the administrator root. */
export const passkeyServer = async (options: Parameters<typeof startServer>[0] = {}) => {
  const harness = await startServer(options)
  await harness.addUser('root', true)
  await harness.addUser('ann')
  await harness.addUser('bob')
  return { ...harness, ...passkeyBrowsers(harness) }
}

export const rejected = { status: 401, body: { code: 'AuthorizationFailed' }, cookie: undefined }
export const accepted = {
  status: 200,
  body: { mustChangePassword: false },
  cookie: expect.stringMatching(/^session=.{40,}/),
}
