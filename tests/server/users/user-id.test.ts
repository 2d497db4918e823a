import { expect, test } from 'vitest'
import type { ServerPlugin } from '../../../server/context.ts'
import { createAccounts } from '../../../server/users/account-store.ts'
import { usersSteps } from '../../../server/users/tables.ts'
import { startServer } from '../fixtures/harness.ts'
import { memoryDatabase } from '../fixtures/memory-store.ts'

test('users of a version without ids get one each', async () => {
  const reopen = await memoryDatabase()
  const before = await reopen(new Map([['users', usersSteps.slice(0, 2)]]))
  const insert = "INSERT INTO users VALUES (?, '', '', '', 0, 0, 0, 0, '', 0, 0)"
  for (const login of ['ann', 'bob']) await before.run(insert, login)
  const store = await reopen(new Map([['users', usersSteps]]))
  const [ann, bob] = await createAccounts(store, Date.now).all()
  expect(ann?.id).toMatch(/^u[0-9a-f]{18}$/)
  expect(bob?.id).toMatch(/^u[0-9a-f]{18}$/)
  expect(ann?.id).not.toBe(bob?.id)
})

test('the id of a user is kept by a rename, known of the caller, shown to nobody and never given twice', async () => {
  const callerPlugin: ServerPlugin = (app) => {
    app.get('/v1/caller', { config: { access: { to: 'user' } } }, async ({ caller }) => caller)
  }
  const { ask, addUser, signIn, context } = await startServer({ plugins: [callerPlugin] })
  await addUser('ann', true)
  await addUser('bob')
  const { accounts } = context
  const { id } = await accounts.get('bob')
  const bob = await signIn('bob')
  const cookie = await signIn('ann')
  expect((await ask('PATCH', '/v1/user/bob', { cookie, body: { name: 'rob' } })).body).not.toHaveProperty('id')
  expect((await accounts.get('rob')).id).toBe(id)
  expect((await ask('GET', '/v1/caller', { cookie: bob })).body).toMatchObject({ kind: 'user', id, login: 'rob' })
  await ask('DELETE', '/v1/user/rob', { cookie })
  await addUser('rob')
  expect((await accounts.get('rob')).id).not.toBe(id)
})
