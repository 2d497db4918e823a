// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest'
import { browserBookmarks, watchBrowserBookmarks } from './bookmarks.ts'

const ann = browserBookmarks('ann')
const bob = browserBookmarks('bob')
const draft = { streamId: 'gate', time: '2026-11-21T08:00:00.000Z', note: 'the van' }
const time = Date.parse(draft.time)
const id = expect.stringMatching(/^[0-9a-f]{18}$/)

const idOf = (reply: Awaited<ReturnType<typeof ann.add>>): string => (reply.ok ? reply.value.id : '')
const listed = async (store: typeof ann) => {
  const reply = await store.list()
  return reply.ok ? reply.value : reply.apiError
}

beforeEach(() => {
  vi.restoreAllMocks()
  globalThis.localStorage.clear()
})

test('each login has its own bookmarks and can change and delete them', async () => {
  const first = idOf(await ann.add(draft))
  await bob.add({ ...draft, note: 'mine' })
  expect(await ann.change(first, { note: 'a van' })).toEqual({
    ok: true,
    value: { id, streamId: 'gate', time, note: 'a van' },
    retryAfterSeconds: null,
  })
  expect([await listed(ann), await listed(bob)]).toEqual([
    [{ id, streamId: 'gate', time, note: 'a van' }],
    [{ id, streamId: 'gate', time, note: 'mine' }],
  ])
  expect(await bob.remove(first)).toMatchObject({ ok: false, apiError: { status: 404, code: 'NotFound' } })
  expect(await bob.change(first, { note: '' })).toMatchObject({
    ok: false,
    apiError: { status: 404, code: 'NotFound' },
  })
  expect((await ann.remove(first)).ok).toBe(true)
  expect([await listed(ann), await listed(bob)]).toEqual([[], [{ id, streamId: 'gate', time, note: 'mine' }]])
})

test.each([
  ['no JSON', '{', []],
  ['no object', '[1]', []],
  ['no list', '{"ann": 7}', []],
  [
    'some that fit',
    JSON.stringify({ ann: [{ id: 'b1', streamId: 'gate', time: draft.time }, { id: 'b2' }, null] }),
    [{ id: 'b1', streamId: 'gate', time, note: '' }],
  ],
])('reads only valid bookmarks from another version: %s', async (_, stored, bookmarks) => {
  globalThis.localStorage.setItem('bookmarks', stored)
  expect(await listed(ann)).toEqual(bookmarks)
  expect((await ann.add(draft)).ok).toBe(true)
  expect(await listed(ann)).toEqual([...bookmarks, { id, streamId: 'gate', time, note: 'the van' }])
})

test('with full storage a change fails and the stored bookmarks stay', async () => {
  const first = idOf(await ann.add(draft))
  vi.spyOn(globalThis.Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  const notStored = {
    ok: false,
    apiError: { status: 0, code: 'NotStored', message: '', details: {}, retryAfterSeconds: null },
  }
  expect([await ann.add(draft), await ann.change(first, { note: 'x' }), await ann.remove(first)]).toEqual([
    notStored,
    notStored,
    notStored,
  ])
  expect(await listed(ann)).toEqual([{ id, streamId: 'gate', time, note: 'the van' }])
})

test('a note that is too long is a ValidationError of its field, as on the server', async () => {
  const first = idOf(await ann.add(draft))
  const note = 'x'.repeat(2001)
  const invalid = { ok: false, apiError: { code: 'ValidationError', details: { note: 'tooLong' } } }
  expect(await ann.add({ ...draft, note })).toMatchObject(invalid)
  expect(await ann.change(first, { note })).toMatchObject(invalid)
})

test('reports changes by other tabs until the watch ends', () => {
  const onChange = vi.fn<() => void>()
  const end = watchBrowserBookmarks(onChange)
  const change = (key: string | null) => globalThis.dispatchEvent(new StorageEvent('storage', { key }))
  for (const key of ['bookmarks', 'theme', null]) change(key)
  end()
  change('bookmarks')
  expect(onChange).toHaveBeenCalledTimes(2)
})
