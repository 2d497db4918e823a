import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { patience } from '../../fixtures/patience.ts'
import { callback, openSite } from './oidc-site.ts'

type Site = Awaited<ReturnType<typeof openSite>>

/** The codes of the warnings of health, as a caller sees them. */
const warningsOf = async ({ ask }: Pick<Site, 'ask'>, cookie?: string): Promise<string[]> => {
  const { body } = await ask('GET', '/v1/system/health', { cookie })
  const { warnings } = z.parse(z.object({ warnings: z.array(z.object({ code: z.string() })) }), body)
  return warnings.map(({ code }) => code)
}

describe('a sign-in fails, and leads back to the sign-in page with the reason', () => {
  test('of a blocked user', async () => {
    const { enter, ask, ann } = await openSite()
    await enter('7')
    await ask('POST', '/v1/user/eve/block', { cookie: ann })
    expect(await enter('7')).toEqual({ to: '/ui/auth?failure=blocked', cookie: undefined })
  })

  test('that the provider refuses', async () => {
    const { enter, entries } = await openSite()
    expect(await enter(undefined)).toEqual({ to: '/ui/auth?failure=denied', cookie: undefined })
    expect((await entries()).map(({ login, outcome }) => ({ login, outcome }))).toEqual([
      { login: '', outcome: 'AuthorizationFailed' },
    ])
  })

  test('with the state of another, without a cookie, and ten minutes later', async () => {
    const { begin, comeBack, provider, wait } = await openSite()
    const { url, cookie } = await begin()
    const back = await provider.visit(url, '7')
    const expired = { to: '/ui/auth?failure=expired', cookie: undefined }
    expect(await comeBack(back, undefined)).toEqual(expired)
    expect(await comeBack(back, (await begin()).cookie)).toEqual(expired)
    wait(10 * 60_000)
    expect(await comeBack(back, cookie)).toEqual(expired)
  })

  test('with the nonce of another', async () => {
    const { begin, comeBack, provider } = await openSite()
    const { url, cookie } = await begin()
    const other = new URL(url)
    other.searchParams.set('nonce', 'x'.repeat(43))
    const back = await provider.visit(other.href, '7')
    expect(await comeBack(back, cookie)).toEqual({ to: '/ui/auth?failure=failed', cookie: undefined })
  })

  test('with a code that was used before', async () => {
    const { begin, comeBack, provider } = await openSite()
    const { url, cookie } = await begin()
    const back = await provider.visit(url, '7')
    expect(await comeBack(back, cookie)).toMatchObject({ to: '/ui/auth' })
    expect(await comeBack(back, cookie)).toEqual({ to: '/ui/auth?failure=expired', cookie: undefined })
  })

  test('while the provider goes away, until health finds it again without a sign-in', async () => {
    const { begin, comeBack, provider, ask, ann, wait } = await openSite()
    const { url, cookie } = await begin()
    const back = await provider.visit(url, '7')
    await provider.close()
    expect(await comeBack(back, cookie)).toEqual({ to: '/ui/auth?failure=away', cookie: undefined })
    expect(await warningsOf({ ask }, ann)).toContain('OIDC_AWAY')
    await provider.reopen()
    wait(10_000)
    await expect.poll(() => warningsOf({ ask }, ann), patience).not.toContain('OIDC_AWAY')
  })

  test.each([
    ['ten seconds later', 0],
    ['ten seconds later, although the clock was set back', -3_600_000],
  ])('while the provider is away, of which health tells administrators until it is back: %s', async (_, ms) => {
    const { begin, provider, ask, ann, wait } = await openSite()
    const codes = (cookie?: string) => warningsOf({ ask }, cookie)
    await provider.close()
    const away = { status: 302, url: '/ui/auth?failure=away', cookie: undefined }
    expect(await begin()).toEqual(away)
    expect(await codes(ann)).toContain('OIDC_AWAY')
    expect(await codes()).not.toContain('OIDC_AWAY')
    await provider.reopen()
    expect(await begin()).toEqual(away)
    wait(ms)
    wait(10_000)
    expect(await begin()).toMatchObject({ status: 302, url: expect.stringContaining(provider.issuer) })
    expect(await codes(ann)).not.toContain('OIDC_AWAY')
  })

  test('after ten that failed, for half a minute', async () => {
    const { ask, comeBack, enter, wait } = await openSite()
    const wrong = new URL(`${callback}?code=x&state=y`)
    for (let count = 0; count < 10; count += 1) await comeBack(wrong, undefined)
    expect(await comeBack(wrong, undefined)).toMatchObject({ to: '/ui/auth?failure=throttled' })
    expect((await ask('GET', wrong.pathname, { ip: '192.0.2.2' })).headers['location']).toBe('/ui/auth?failure=expired')
    wait(30_000)
    expect(await enter('7')).toMatchObject({ to: '/ui/auth' })
  })
})
