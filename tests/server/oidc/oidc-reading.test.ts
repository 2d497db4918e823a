import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { SignInFailure } from '../../../server/oidc/failure.ts'
import { createManagedUsers } from '../../../server/oidc/managed-users.ts'
import { createProvider } from '../../../server/oidc/provider.ts'
import { createRereading } from '../../../server/oidc/rereading.ts'
import { hourMs } from '../../../server/durations.ts'
import { StoreAway } from '../../../server/store/connection.ts'
import { guards, openSite } from './oidc-site.ts'

/** A site whose provider gives refresh tokens, with the user Eve signed in. `readAgain`: what runs each minute. */
const refreshing = async (change: Parameters<typeof openSite>[0] = {}) => {
  const site = await openSite(change)
  site.provider.giveRefreshTokens()
  const { cookie } = await site.enter('7')
  const users = createManagedUsers(site.context, site.options)
  const readAgain = createRereading(site.context, users, createProvider(site.options, site.context))
  const setGroups = (...groups: string[]) => {
    site.provider.people.set('7', { ...site.provider.people.get('7'), groups })
  }
  return { ...site, cookie, users, readAgain, setGroups }
}
const RefreshTokens = z.object({ refreshToken: z.nullable(z.instanceof(Uint8Array)) })
const storedTokens = ({ context }: Pick<Awaited<ReturnType<typeof openSite>>, 'context'>) =>
  context.store.all(RefreshTokens, 'SELECT refresh_token AS refreshToken FROM oidc_users')

describe('without a refresh token', () => {
  test('sessions and API tokens of a user work for as long as groups count, and again after a sign-in', async () => {
    const { enter, ask, me, wait } = await openSite()
    const { cookie } = await enter('7')
    const { body } = await ask('POST', '/v1/token', { cookie, body: { name: 'x' } })
    const headers = { authorization: `Bearer ${z.parse(z.object({ token: z.string() }), body).token}` }
    const states = async () => [
      (await ask('GET', '/v1/user', { cookie })).status,
      (await ask('GET', '/v1/user', { headers })).status,
    ]
    wait(24 * hourMs - 1)
    expect(await states()).toEqual([200, 200])
    wait(1)
    expect(await states()).toEqual([401, 401])
    expect(await me((await enter('7')).cookie)).toMatchObject({ name: 'eve' })
    expect((await ask('GET', '/v1/user', { headers })).status).toBe(200)
  })

  test('a user of this server goes on', async () => {
    const { ask, ann, wait } = await openSite()
    wait(48 * hourMs)
    expect((await ask('GET', '/v1/user', { cookie: ann })).status).toBe(200)
  })

  test('the option of the next start counts from the last sign-in', async () => {
    const { enter, me, wait, context, options } = await openSite()
    const { cookie } = await enter('7')
    wait(9 * hourMs)
    await createManagedUsers(context, { ...options, groupsHours: 8 }).reconcile({ isStart: true })
    expect(await me(cookie)).toMatchObject({ code: 'AuthorizationRequired' })
    await context.store.run('UPDATE oidc_users SET read_at = 0')
    await createManagedUsers(context, { ...options, groupsHours: 8 }).reconcile({ isStart: true })
    expect(await me(cookie)).toMatchObject({ name: 'eve' })
  })

  test('what runs is checked again when the time is over', async () => {
    const { enter, wait, context, options } = await openSite()
    await enter('7')
    const { readings } = createManagedUsers(context, options)
    const from = context.now()
    expect(await readings.hasEnded(from, context.now())).toBe(false)
    wait(24 * hourMs)
    expect(await readings.hasEnded(from, context.now())).toBe(true)
    expect(await readings.hasEnded(context.now(), context.now())).toBe(false)
  })
})

describe('with a refresh token', () => {
  test('groups are read again after half of the time, and the session goes on', async () => {
    const { readAgain, setGroups, rightsOf, me, wait, cookie, entries, context } = await refreshing()
    setGroups('others')
    wait(11 * hourMs)
    await readAgain()
    expect(await rightsOf('eve')).toEqual([guards, guards, undefined])
    wait(hourMs)
    await readAgain()
    expect(await rightsOf('eve')).toEqual([undefined, undefined, undefined])
    wait(12 * hourMs)
    setGroups('guards')
    await readAgain()
    expect(await rightsOf('eve')).toEqual([guards, guards, undefined])
    expect(await me(cookie)).toMatchObject({ name: 'eve' })
    expect(await entries()).toHaveLength(1)
    const { items } = await context.audit.read({ action: 'user.change' }, 1)
    expect(items.map(({ login, target, details }) => ({ login, target, details }))).toMatchObject([
      { login: '', target: 'eve', details: { changes: [{ path: 'groups', from: 'others', to: 'guards' }] } },
      { login: '', target: 'eve', details: { changes: [{ path: 'groups', from: 'guards', to: 'others' }] } },
    ])
  })

  test('one who has left the groups that may sign in is signed out', async () => {
    const { readAgain, setGroups, me, wait, cookie } = await refreshing({ allowedGroups: ['guards'] })
    setGroups('others')
    wait(12 * hourMs)
    await readAgain()
    expect(await me(cookie)).toMatchObject({ code: 'AuthorizationRequired' })
  })

  test('a provider that is away is asked again; after a refusal the session ends in time', async () => {
    const site = await refreshing()
    const { readAgain, provider, me, wait, cookie } = site
    wait(12 * hourMs)
    await provider.close()
    await readAgain()
    expect(await storedTokens(site)).toEqual([{ refreshToken: expect.any(Uint8Array) }])
    await provider.reopen()
    provider.endRefreshTokens()
    wait(60_000)
    await readAgain()
    expect(await storedTokens(site)).toEqual([{ refreshToken: null }])
    expect(await me(cookie)).toMatchObject({ name: 'eve' })
    wait(12 * hourMs)
    expect(await me(cookie)).toMatchObject({ code: 'AuthorizationRequired' })
  })

  test('a user at whom alone the provider fails does not keep it from reading the others', async () => {
    const { enter, context, users, options, wait } = await refreshing()
    wait(hourMs)
    await enter('8', { preferred_username: 'tom', groups: ['guards'] })
    wait(12 * hourMs)
    const asked: string[] = []
    const readAgain = createRereading(context, users, {
      ...createProvider(options, context),
      refresh: async ({ subject }) => {
        asked.push(subject)
        throw new SignInFailure(subject === '7' ? 'away' : 'expired')
      },
    })
    await readAgain()
    await readAgain()
    expect(asked).toEqual(['7', '8', '7'])
  })

  test('a refusal of this server keeps it, and another one is stored before the rest is asked', async () => {
    const site = await refreshing()
    const { context, users, options, wait } = site
    const [first] = await storedTokens(site)
    const readAgain = (refresh: ReturnType<typeof createProvider>['refresh']) =>
      createRereading(context, users, { ...createProvider(options, context), refresh })()
    wait(12 * hourMs)
    await readAgain(async () => {
      throw new SignInFailure('failed')
    })
    expect(await storedTokens(site)).toEqual([first])
    await readAgain(async (_user, keep) => {
      await keep('another')
      throw new SignInFailure('away')
    })
    const [second] = await storedTokens(site)
    expect([second?.refreshToken instanceof Uint8Array, second]).toEqual([
      true,
      expect.not.objectContaining(first ?? {}),
    ])
  })

  test('a database that cannot store another one is no failure of the provider', async () => {
    const { context, users, options, wait } = await refreshing()
    wait(12 * hourMs)
    const [due] = await users.readings.due()
    if (due === undefined) throw new Error('nobody is due')
    const away = new StoreAway('it does not answer')
    const keep = () => Promise.reject(away)
    await expect(createProvider(options, context).refresh(due, keep)).rejects.toBe(away)
  })

  test('it is kept sealed, and only as long as the user has a session or an API token', async () => {
    const site = await refreshing()
    const [row] = await storedTokens(site)
    expect(Buffer.from(row?.refreshToken ?? []).toString()).not.toMatch(/[\w-]{20}/)
    await site.ask('POST', '/v1/sign-out', { cookie: site.cookie })
    await site.readAgain()
    expect(await storedTokens(site)).toEqual([{ refreshToken: null }])
  })

  test('one that cannot be read any more is removed, so that others have their turn', async () => {
    const site = await refreshing()
    await site.context.store.run('UPDATE oidc_users SET refresh_token = ?', Buffer.from('sealed by another key'))
    await site.readAgain()
    expect(await storedTokens(site)).toMatchObject([{ refreshToken: expect.any(Uint8Array) }])
    site.wait(12 * hourMs)
    await site.readAgain()
    expect(await storedTokens(site)).toEqual([{ refreshToken: null }])
  })

  test('a provider that names no groups then changes nothing', async () => {
    const site = await refreshing()
    site.provider.people.set('7', { name: 'Eve Example' })
    site.wait(12 * hourMs)
    await site.readAgain()
    expect(await site.rightsOf('eve')).toEqual([guards, guards, undefined])
    expect(await storedTokens(site)).toEqual([{ refreshToken: null }])
  })
})
