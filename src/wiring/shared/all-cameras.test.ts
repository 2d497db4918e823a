import { afterEach, expect, test, vi } from 'vitest'
import { setBaseUrl } from '../../api/call.ts'
import { allCameras } from './all-cameras.ts'

const { signal } = new AbortController()

/** A server with 120 streams; the pages as it answers them, and which were requested. */
function serving(answer: (page: number, items: readonly { uid: string }[]) => object, pageSize: number) {
  const requested: number[] = []
  setBaseUrl('https://vms.example')
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (target) => {
    const page = Number(new URL(String(target)).searchParams.get('page'))
    requested.push(page)
    const count = Math.max(0, Math.min(pageSize, 120 - (page - 1) * pageSize))
    const items = Array.from({ length: count }, (_, index) => ({ uid: `cam-${(page - 1) * pageSize + index}` }))
    return Response.json(answer(page, items))
  })
  return requested
}

afterEach(() => {
  setBaseUrl('')
  vi.restoreAllMocks()
})

test.each([
  ['reports its pages', 50, (page: number, items: object) => ({ items, page, pageSize: 50, total: 120 }), [1, 2, 3]],
  ['reports no page size', 20, (page: number, items: object) => ({ items, page, total: 120 }), [1, 2, 3, 4, 5, 6]],
  ['reports no total', 50, (_page: number, items: object) => ({ items }), [1, 2, 3, 4]],
])('all cameras of a server that %s', async (_name, pageSize, answer, pages) => {
  const requested = serving(answer, pageSize)
  const reply = await allCameras(signal)
  expect({ requested, count: reply.ok && reply.value.items.length, total: reply.ok && reply.value.total }).toEqual({
    requested: pages,
    count: 120,
    total: 120,
  })
})

test('a server without pages is asked twice if it reports no total', async () => {
  const requested = serving(() => ({ items: [{ uid: 'gate' }, { uid: 'yard' }] }), 2)
  const reply = await allCameras(signal)
  expect({ requested, items: reply.ok && reply.value.items.map(({ uid }) => uid) }).toEqual({
    requested: [1, 2],
    items: ['gate', 'yard'],
  })
})
