import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createManagedUsers, noRules } from '../../../server/oidc/managed-users.ts'
import { portOf } from '../../../server/start.ts'
import { guards, openSite } from './oidc-site.ts'

describe('groups', () => {
  test('a group that is gone takes its rights at the next sign-in, and ends what is running; rights by hand stay', async () => {
    const { app, enter, rightsOf, ask, ann } = await openSite()
    const { cookie } = await enter('7')
    const byHand = { permissions: [{ uid: 'yard', name: '', canView: true, canViewArchive: false, canAdmin: false }] }
    await ask('POST', '/v1/user/eve/permissions', { cookie: ann, body: byHand })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { status, body } = await fetch(`http://127.0.0.1:${portOf(app)}/v1/stream/gate/live`, {
      headers: { cookie: cookie ?? '' },
    })
    expect(status).toBe(200)
    const reader = body?.getReader()
    await reader?.read()
    const drain = async () => {
      for (;;) await reader?.read()
    }
    await enter('7', { groups: ['others'] })
    await expect(drain()).rejects.toThrow('terminated')
    const live = { canView: true, canViewArchive: false, canAdmin: false }
    expect(await rightsOf('eve')).toEqual([undefined, undefined, live])
  })

  test('of administrators make one, and unmake only whom they made', async () => {
    const { enter, me, ask, ann } = await openSite()
    expect(await me((await enter('7', { groups: ['chiefs'] })).cookie)).toMatchObject({ isAdmin: true })
    expect(await me((await enter('7', { groups: [] })).cookie)).toMatchObject({ isAdmin: false })
    await ask('PATCH', '/v1/user/eve', { cookie: ann, body: { permissionType: 'admin' } })
    expect(await me((await enter('7', { groups: ['chiefs'] })).cookie)).toMatchObject({ isAdmin: true })
    expect(await me((await enter('7', { groups: [] })).cookie)).toMatchObject({ isAdmin: true })
  })

  test('the last administrator stays', async () => {
    const { enter, me, ask } = await openSite()
    const { cookie } = await enter('7', { groups: ['chiefs'] })
    expect((await ask('DELETE', '/v1/user/ann', { cookie })).status).toBe(200)
    expect(await me((await enter('7', { groups: [] })).cookie)).toMatchObject({ isAdmin: true })
  })

  test('that may sign in keep others out, and a user who has left them loses sessions, tokens and rights', async () => {
    const { enter, me, ask, entries } = await openSite({ allowedGroups: ['guards', 'chiefs'] })
    const { cookie } = await enter('7')
    const { body } = await ask('POST', '/v1/token', { cookie, body: { name: 'x' } })
    const authorization = `Bearer ${z.parse(z.object({ token: z.string() }), body).token}`
    expect((await ask('GET', '/v1/user', { headers: { authorization } })).status).toBe(200)
    expect(await enter('7', { groups: ['others'] })).toEqual({ to: '/ui/auth?failure=forbidden', cookie: undefined })
    expect(await me(cookie)).toMatchObject({ code: 'AuthorizationRequired' })
    expect((await ask('GET', '/v1/user', { headers: { authorization } })).status).toBe(401)
    expect(await enter('8', { groups: [] })).toEqual({ to: '/ui/auth?failure=forbidden', cookie: undefined })
    expect((await entries()).map(({ login, outcome }) => ({ login, outcome }))).toEqual([
      { login: '', outcome: 'Forbidden' },
      { login: 'eve', outcome: 'Forbidden' },
      { login: 'eve', outcome: 'ok' },
    ])
  })
})

test('rights follow the names of streams and the rules within a minute, and at the start', async () => {
  const { enter, rightsOf, context, options, addStream } = await openSite()
  await enter('7')
  await addStream('gate-3')
  await context.store.run("UPDATE streams SET name = 'name of gate yard' WHERE uid = 'yard'")
  const users = createManagedUsers(context, options)
  await users.reconcile({ isStart: false })
  expect(await rightsOf('eve')).toEqual([guards, guards, guards])
  await createManagedUsers(context, noRules).reconcile({ isStart: true })
  expect(await rightsOf('eve')).toEqual([undefined, undefined, undefined])
})
