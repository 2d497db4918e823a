import { expect } from 'playwright/test'
import { bob, settings } from '../../tests/fixtures/fake-server.ts'
import { test } from './fake-server.ts'

test('members are chosen from thousands by the keyboard alone', async ({ page, server, problems }) => {
  const users = Array.from({ length: 3000 }, (_, at) => ({ ...bob, name: `user${at}` }))
  server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, features: ['groups'] } })
  server.answer('GET /v1/users', { json: { items: users } })
  server.answer('GET /v1/groups', { json: { items: [], page: 1, pageSize: 50, total: 0 } })
  server.answer('GET /v1/group/g1', { json: { id: 'g1', kind: 'users', name: 'Guards', members: ['user1'] } })
  server.answer('GET /v1/group/g1/permissions', { json: { permissions: [] } })
  server.answer('PATCH /v1/group/g1', { json: {} })
  await page.goto('/ui/administration/groups/g1')
  const members = page.getByRole('listbox', { name: 'Members' })
  await page.getByRole('button', { name: 'Add all found' }).focus()
  await page.keyboard.press('Tab')
  await expect(members).toBeFocused()
  for (const key of ['End', 'Space', 'PageUp', 'Enter']) await page.keyboard.press(key)
  await expect(members.getByRole('option', { selected: true })).toHaveText(['user2991', 'user2999'])
  expect(await members.getByRole('option').count()).toBeLessThan(60)
  await page.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(page.getByText('The group Guards has been saved')).toBeVisible()
  expect(server.bodies.find(({ call }) => call === 'PATCH /v1/group/g1')?.body).toEqual({
    members: ['user1', 'user2991', 'user2999'],
  })
  expect(problems).toEqual([])
})
