import { afterEach, expect, test, vi } from 'vitest'
import { isOutdated } from './build.ts'

const pageOf = (entry: string) => `<script type="module" crossorigin src="/ui/assets/${entry}"></script>`

/** A page that begins with `index-1.js`, whose server now has another one. */
function open(served: () => Promise<Response>) {
  const fetch = vi.fn(served)
  vi.stubGlobal('fetch', fetch)
  vi.stubGlobal('document', { head: { innerHTML: pageOf('index-1.js') } })
  return fetch
}

const check = (build: string | undefined) => isOutdated(build, new AbortController().signal)

afterEach(() => {
  vi.unstubAllGlobals()
})

test('the page is outdated once health and the page at /ui/ have another build', async () => {
  open(async () => new Response(pageOf('index-2.js')))
  expect(await check('index-2.js')).toBe(true)
})

test.each([['index-1.js'], [''], [undefined]])(
  'it is not with the build %o, and no page is requested',
  async (build) => {
    const fetch = open(async () => new Response(pageOf('index-2.js')))
    expect({ isOutdated: await check(build), requests: fetch.mock.calls }).toEqual({ isOutdated: false, requests: [] })
  },
)

test('it is not if the build is that of a console elsewhere', async () => {
  open(async () => new Response(pageOf('index-1.js')))
  expect(await check('index-2.js')).toBe(false)
})

test('it is not while no page can be loaded', async () => {
  open(() => Promise.reject(new TypeError('Failed to fetch')))
  expect(await check('index-2.js')).toBe(false)
})
