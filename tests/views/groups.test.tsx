// @vitest-environment jsdom
import { fireEvent, screen, within } from '@testing-library/react'
import { bob, gate, settings } from '../fixtures/fake-server.ts'
import { at, bodyOf, expect, field, fill, part, press, test, textsOf, titled, toast, until } from './console.tsx'

const announced = { json: { ...settings, features: ['groups'] } }
const guards = { id: 'g1', kind: 'users', name: 'Guards', memberCount: 1 }
const yard = { id: 'g2', kind: 'streams', name: 'Yard', memberCount: 20 }
const pageOf = (...items: object[]) => ({ json: { items, page: 1, pageSize: 50, total: items.length } })
const rights = { canView: false, canViewArchive: false, canAdmin: false }
const users = ['ann', 'bob', 'cid'].map((name) => ({ ...bob, name }))

test('a server without groups has neither tab nor page, and is asked nothing of them', async ({ server, visit }) => {
  server.answer('GET /v1/user/bob', { json: bob })
  server.answer('GET /v1/user/bob/permissions', { json: { permissions: [] } })
  server.answer('GET /v1/streams', pageOf(gate))
  await visit('/ui/administration/groups')
  await screen.findByText('Page not found')
  await visit('/ui/user/bob/permission')
  await screen.findByRole('checkbox', { name: 'Gate: Live' })
  await visit('/ui/administration/users')
  await titled('Users')
  expect(textsOf((await part('navigation', 'Toolbar')).getAllByRole('link'))).not.toContain('Groups')
  expect(server.calls.filter((call) => /\/groups?(\/|$)|group-permissions/.test(call))).toEqual([])
})

test('groups are listed by kind, searched, and deleted when that is confirmed', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', announced)
  const listed = [guards, yard]
  server.answer('GET /v1/groups', () => pageOf(...listed))
  server.answer('DELETE /v1/group/g1', () => {
    listed.shift()
    return { json: {} }
  })
  await visit('/ui/administration/users')
  await titled('Users')
  await press('link', 'Groups', await part('navigation', 'Toolbar'))
  await titled('Groups')
  const rowsOf = async (name: string) => textsOf((await part('table', name)).getAllByRole('row').slice(1))
  expect(await rowsOf('User groups')).toEqual(['Guards1 user'])
  expect(await rowsOf('Stream groups')).toEqual(['Yard20 streams'])
  await fill('Search groups', 'YA')
  await screen.findByText('No matches')
  expect(screen.queryByRole('table', { name: 'User groups' })).toBeNull()
  await fill('Search groups', '')
  await press('button', 'Delete Guards')
  await press('button', 'Delete', await part('alertdialog', 'Delete the group Guards?'))
  await screen.findByText('No user groups yet')
  await screen.findByText('1 group')
})

test('the question before a group without a name is deleted names its id', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', announced)
  server.answer('GET /v1/groups', pageOf({ ...guards, name: '' }))
  await visit('/ui/administration/groups')
  await press('button', 'Delete g1')
  await part('alertdialog', 'Delete the group g1?')
})

test('a user group is added, gets members and permissions, and is saved by the fewest calls', async ({
  server,
  visit,
}) => {
  server.answer('GET /v1/system/internal/ui/settings', announced)
  server.answer('GET /v1/groups', pageOf(yard))
  server.answer('GET /v1/users', { json: { items: users } })
  server.answer('GET /v1/streams', pageOf(gate))
  server.answer('POST /v1/groups', { json: { ...guards, members: [] } })
  server.answer('GET /v1/group/g1', { json: { ...guards, members: [] } })
  server.answer('GET /v1/group/g1/permissions', { json: { permissions: [] } })
  server.answer('PATCH /v1/group/g1', { json: {} })
  server.answer('PUT /v1/group/g1/permissions', (request) => ({ json: request.postDataJSON() }))
  await visit('/ui/administration/groups')
  await press('button', 'Add user group')
  const adding = await part('dialog', 'Add user group')
  await fill('Name', ' Guards', adding)
  await press('button', 'Add', adding)
  await at('/ui/administration/groups/g1')
  await screen.findByRole('heading', { name: 'Guards' })
  expect(bodyOf(server, 'POST /v1/groups')).toEqual({ kind: 'users', name: 'Guards' })

  const members = await screen.findByRole('listbox', { name: 'Members' })
  expect(textsOf(within(members).getAllByRole('option'))).toEqual(['ann', 'bob', 'cid'])
  fireEvent.keyDown(members, { key: 'ArrowDown' })
  fireEvent.keyDown(members, { key: ' ' })
  fireEvent.keyDown(members, { key: 'End' })
  fireEvent.keyDown(members, { key: 'Enter' })
  expect(
    within(members)
      .getAllByRole('option', { selected: true })
      .map(({ textContent }) => textContent),
  ).toEqual(['bob', 'cid'])
  await press('button', 'Only members')
  await fill('Search users', 'c')
  expect(textsOf(within(members).getAllByRole('option'))).toEqual(['cid'])
  await press('button', 'Remove all found')
  await screen.findByText('No matches')
  await press('button', 'Save')
  await toast('The group Guards has been saved')
  expect(bodyOf(server, 'PATCH /v1/group/g1')).toEqual({ members: ['bob'] })
  expect(server.count('PUT /v1/group/g1/permissions')).toBe(0)

  await press('checkbox', 'Yard: Archive')
  const streamRows = () => screen.queryAllByRole('checkbox', { name: /^Gate: / }).length
  await fill('Access to a single stream', 'gate')
  expect(streamRows()).toBe(0)
  await press('button', 'Add')
  await until(() => expect(streamRows()).toBe(3))
  await press('button', 'Save')
  await until(() =>
    expect(bodyOf(server, 'PUT /v1/group/g1/permissions')).toEqual({
      permissions: [
        { streamGroupId: 'g2', name: 'Yard', ...rights, canView: true, canViewArchive: true },
        { streamId: 'gate', name: 'Gate', ...rights, canView: true },
      ],
    }),
  )
  expect(server.count('PATCH /v1/group/g1')).toBe(1)
})

test('leaving a changed group asks first; a name in use is reported beside the field', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', announced)
  server.answer('GET /v1/groups', pageOf(yard))
  server.answer('GET /v1/streams', pageOf(gate))
  server.answer('GET /v1/group/g2', { json: { ...yard, members: ['gate', 'gone'] } })
  server.answer('PATCH /v1/group/g2', { status: 409, json: { code: 'AlreadyUsed', details: { name: 'Already used' } } })
  await visit('/ui/administration/groups/g2')
  const members = await screen.findByRole('listbox', { name: 'Members' })
  expect(textsOf(within(members).getAllByRole('option', { selected: true }))).toEqual(['gone', 'Gate'])
  expect(screen.queryByRole('region', { name: 'Permissions' })).toBeNull()
  await fill('Name', 'Gates')
  await press('link', 'All groups')
  await press('button', 'Cancel', await part('alertdialog', 'Leave without saving?'))
  await press('button', 'Save')
  await until(async () => expect((await field('Name')).getAttribute('aria-invalid')).toBe('true'))
  await press('button', 'Discard changes')
  await press('link', 'All groups')
  await titled('Groups')
})

test('where not all streams are listed, the page says how many are, and finds the others', async ({
  server,
  visit,
}) => {
  const other = { ...gate, uid: 'yard', name: 'Yard camera' }
  server.answer('GET /v1/system/internal/ui/settings', announced)
  server.answer('GET /v1/group/g2', { json: { ...yard, members: [] } })
  server.answer('GET /v1/streams', (request) => {
    const query = new URL(request.url()).searchParams
    if (query.has('searchingValues')) return pageOf(other)
    const items = query.get('page') === '1' ? [gate] : []
    return { json: { items, page: Number(query.get('page')), pageSize: 50, total: 6000 } }
  })
  await visit('/ui/administration/groups/g2')
  await screen.findByText('Only 1 of 6,000 streams are listed. The search finds the others, too.')
  await fill('Search streams', 'yard')
  const members = await screen.findByRole('listbox', { name: 'Members' })
  expect(textsOf(within(members).getAllByRole('option'))).toEqual(['Yard camera'])
})

test('what a user may do through groups is beside the own permissions, which alone are saved', async ({
  server,
  visit,
}) => {
  server.answer('GET /v1/system/internal/ui/settings', announced)
  server.answer('GET /v1/user/bob', { json: bob })
  server.answer('GET /v1/streams', pageOf(gate))
  server.answer('GET /v1/user/bob/permissions', { json: { permissions: [] } })
  const byGroup = { uid: 'gate', name: 'Gate', canView: true, canViewArchive: true, groups: ['Guards', 'Chiefs'] }
  server.answer('GET /v1/user/bob/group-permissions', { json: { permissions: [byGroup] } })
  await visit('/ui/user/bob/permission')
  await screen.findByText('Live, Archive through groups Guards, Chiefs')
  const live = await screen.findByRole('checkbox', { name: 'Gate: Live' })
  expect(live).toHaveProperty('checked', false)
})

test('the groups with access to a stream are listed below its own permissions', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', announced)
  server.answer('GET /v1/stream/gate', { json: gate })
  server.answer('GET /v1/stream/gate/permissions', { json: { permissions: [] } })
  const permissions = [{ groupId: 'g1', name: 'Guards', memberCount: 12, canView: true, canViewArchive: true }]
  server.answer('GET /v1/stream/gate/group-permissions', { json: { permissions } })
  await visit('/ui/stream/gate/permission')
  const table = await part('table', 'Through groups')
  expect(textsOf(table.getAllByRole('cell'))).toEqual(['Guards', '12 users', 'Live, Archive'])
})
