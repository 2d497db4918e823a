import { expect } from 'playwright/test'
import { gate } from '../../tests/fixtures/fake-server.ts'
import { test } from './fake-server.ts'
import { answerPlayer, answerPreviews, expectAccessible } from './stream-fixture.ts'

test.beforeEach(async ({ page, server }) => {
  server.answer('GET /v1/user', { status: 401, json: { code: 'AuthorizationRequired' } })
  answerPlayer(server, gate.uid)
  await answerPreviews(page, server)
})

for (const status of [401, 403, 404]) {
  test(
    `a link that is answered ${status} from some moment on says that it was withdrawn, after a reload too`,
    { tag: status === 403 ? [] : '@long' },
    async ({ page, server }) => {
      const tokens: (string | undefined)[] = []
      server.answer('GET /v1/stream/gate', (request) => {
        tokens.push(request.headers()['share-token'])
        return { json: gate }
      })
      await page.goto('/ui/stream/gate/view#token=secret')
      await expect(page.getByRole('region', { name: 'Player' })).toBeVisible()
      await expect(page).toHaveURL('/ui/stream/gate/view')
      await expect(page.getByRole('banner')).toHaveCount(0)
      expect(new Set(tokens)).toEqual(new Set(['secret']))
      server.answer('GET /v1/stream/gate', { status, json: { code: '' } })
      await expect(page.getByRole('heading', { name: 'This link was withdrawn' })).toBeVisible()
      await expect(page.getByRole('region', { name: 'Player' })).toHaveCount(0)
      await expectAccessible(page)
      await page.reload()
      await expect(page.getByRole('heading', { name: 'This link was withdrawn' })).toBeVisible()
      await page.getByRole('link', { name: 'Sign in' }).click()
      await expect(page).toHaveURL('/ui/auth')
      await page.goto('/ui/streams')
      await expect(page).toHaveURL('/ui/auth')
    },
  )
}

test('a new link to the stream on the screen replaces the one that was withdrawn', async ({ page, server }) => {
  const tokens: (string | undefined)[] = []
  server.answer('GET /v1/stream/gate', (request) => {
    const token = request.headers()['share-token']
    tokens.push(token)
    return token === 'new' ? { json: gate } : { status: 404, json: { code: 'NotFound' } }
  })
  await page.goto('/ui/stream/gate/view#token=old')
  await expect(page.getByRole('heading', { name: 'This link was withdrawn' })).toBeVisible()
  await page.goto('/ui/stream/gate/view#token=new')
  await expect(page.getByRole('region', { name: 'Player' })).toBeVisible()
  await expect(page).toHaveURL('/ui/stream/gate/view')
  expect(tokens.at(-1)).toBe('new')
})

test('a link with a password asks for it, says that it is wrong, and keeps what it was given for', async ({
  page,
  server,
}) => {
  server.answer('GET /v1/stream/gate', (request) =>
    request.headers()['share-token'] === 'unlocked'
      ? { json: gate }
      : { status: 403, json: { code: 'SharePasswordRequired' } },
  )
  server.answer('POST /v1/stream/gate/share/unlock', (request) =>
    request.postDataJSON().password === 'gate code 7'
      ? { json: { token: 'unlocked' } }
      : { status: 400, json: { code: 'ValidationError', details: { password: 'Wrong password' } } },
  )
  await page.goto('/ui/stream/gate/view#token=secret')
  await expect(page.getByRole('heading', { name: 'This link has a password' })).toBeVisible()
  const password = page.getByLabel('Password', { exact: true })
  await expect(password).toBeFocused()
  await expectAccessible(page)
  await password.fill('gate code 8')
  await password.press('Enter')
  await expect(password).toHaveAccessibleDescription(/Wrong password/)
  await password.fill('gate code 7')
  await page.getByRole('button', { name: 'Watch' }).click()
  await expect(page.getByRole('region', { name: 'Player' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('region', { name: 'Player' })).toBeVisible()
  expect(server.bodies).toEqual(
    ['gate code 8', 'gate code 7'].map((given) => ({
      call: 'POST /v1/stream/gate/share/unlock',
      body: { token: 'secret', password: given },
    })),
  )
})
