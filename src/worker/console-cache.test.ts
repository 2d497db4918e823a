import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Build, consoleCacheOf } from './console-cache.ts'

const origin = 'https://cameras.example'
const gone = () => Promise.reject(new TypeError('Failed to fetch'))
type Server = (path: string) => Response | Promise<Response>

const buildOf = (id: string): Build => ({
  id,
  page: '/ui/',
  entry: `assets/index-${id}.js`,
  files: [`assets/index-${id}.js`, `assets/look-${id}.css`],
})
/** A server that has one build, whose page and files contain their names. */
const serving =
  (id: string): Server =>
  (path) => {
    if (buildOf(id).files.some((file) => path === `/ui/${file}`)) return new Response(path)
    return path.startsWith('/ui/assets/')
      ? new Response('', { status: 404 })
      : new Response(`page with assets/index-${id}.js`)
  }

/** The cache storage of a browser, over one server that may change. */
function browser() {
  const server = { answer: serving('1') }
  const asked: string[] = []
  const pathOf = (request: RequestInfo | URL) =>
    new URL(request instanceof Request ? request.url : request, origin).pathname
  const signals: (AbortSignal | null | undefined)[] = []
  const fetch = async (request: RequestInfo | URL, init?: RequestInit) => {
    asked.push(pathOf(request))
    signals.push(init?.signal)
    return server.answer(pathOf(request))
  }
  const stores = new Map<string, Map<string, Response>>()
  const cacheOf = (name: string) => {
    const store = stores.get(name) ?? new Map<string, Response>()
    stores.set(name, store)
    return {
      match: async (request: RequestInfo | URL) => store.get(pathOf(request))?.clone(),
      put: async (request: RequestInfo | URL, response: Response) => void store.set(pathOf(request), response),
      add: async (request: RequestInfo | URL) => {
        const response = await fetch(request)
        if (!response.ok) throw new TypeError('Request failed')
        store.set(pathOf(request), response)
      },
    } as Cache
  }
  const caches = {
    open: async (name: string) => cacheOf(name),
    keys: async () => [...stores.keys()],
    delete: async (name: string) => stores.delete(name),
    match: async (request: RequestInfo | URL, { cacheName }: MultiCacheQueryOptions = {}) => {
      const found = [...stores].find(([name, store]) => (cacheName ?? name) === name && store.has(pathOf(request)))
      return found?.[1].get(pathOf(request))?.clone()
    },
  }
  const start = async (id: string) => {
    const consoleCache = consoleCacheOf(buildOf(id), { origin, caches, fetch })
    await consoleCache.install()
    await consoleCache.activate()
    return consoleCache
  }
  const kept = () => [...stores].map(([name, store]) => [name, [...store.keys()]])
  return { server, asked, signals, caches, fetch, start, kept }
}

const requestOf = (path: string, { mode = 'cors', ...init }: RequestInit = {}) =>
  Object.defineProperty(new Request(new URL(path, origin), init), 'mode', { value: mode })
const visit = (path: string) => requestOf(path, { mode: 'navigate' })
const textOf = async (answer: Promise<Response> | undefined) => (await answer)?.text()

describe('keeping a build', () => {
  test('has every file and the page, and nothing else', async () => {
    const { start, kept } = browser()
    await start('1')
    expect(kept()).toEqual([['console-1', ['/ui/assets/index-1.js', '/ui/assets/look-1.css', '/ui/']]])
  })

  test('fails where a file is gone, and asks another time only for what is missing', async () => {
    const { server, start, asked } = browser()
    server.answer = (path) => (path.endsWith('.css') ? new Response('', { status: 404 }) : serving('1')(path))
    await expect(start('1')).rejects.toThrow('Request failed')
    server.answer = serving('1')
    asked.length = 0
    await start('1')
    expect(asked).toEqual(['/ui/assets/look-1.css', '/ui/'])
  })

  test.each<[string, Server]>([
    ["another build's", serving('2')],
    ['a failure', () => new Response('', { status: 500 })],
  ])('fails where the page is %s', async (_, page) => {
    const { server, start } = browser()
    server.answer = (path) => (path === '/ui/' ? page(path) : serving('1')(path))
    await expect(start('1')).rejects.toThrow('the server has another build')
  })

  test('drops all older builds but the last, and no cache of anybody else', async () => {
    const { server, caches, start, kept } = browser()
    await caches.open('pictures')
    for (const id of ['1', '2', '3']) {
      server.answer = serving(id)
      await start(id)
    }
    expect(kept().map(([name]) => name)).toEqual(['pictures', 'console-2', 'console-3'])
  })

  test('keeps the build before over one that was never complete', async () => {
    const { server, start, kept } = browser()
    await start('1')
    server.answer = (path) => (path.endsWith('.css') ? new Response('', { status: 404 }) : serving('2')(path))
    await expect(start('2')).rejects.toThrow('Request failed')
    server.answer = serving('3')
    await start('3')
    expect(kept().map(([name]) => name)).toEqual(['console-1', 'console-3'])
  })
})

describe('the page', () => {
  test("is the server's wherever it answers, its refusals too", async () => {
    const { server, start } = browser()
    const consoleCache = await start('1')
    server.answer = serving('2')
    expect(await textOf(consoleCache.answer(visit('/ui/streams')))).toBe('page with assets/index-2.js')
    server.answer = () => new Response('no', { status: 403 })
    expect(await textOf(consoleCache.answer(visit('/ui/streams')))).toBe('no')
  })

  test.each<[string, Server]>([
    ['nothing answers', gone],
    ['what stands before the server says 502', () => new Response('', { status: 502 })],
    ['it says 503', () => new Response('', { status: 503 })],
    ['it says 504', () => new Response('', { status: 504 })],
  ])('is the kept one where %s, with the files of the same build', async (_, answer) => {
    const { server, start } = browser()
    await start('1')
    server.answer = serving('2')
    const consoleCache = await start('2')
    server.answer = answer
    expect(await textOf(consoleCache.answer(visit('/ui/stream/gate/view?at=1')))).toBe('page with assets/index-2.js')
    expect(await textOf(consoleCache.answer(requestOf('/ui/assets/index-2.js')))).toBe('/ui/assets/index-2.js')
  })

  test('is waited for until it begins, and then may arrive slowly', async () => {
    const { server, signals, start } = browser()
    const consoleCache = await start('1')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    /** Timeouts of signals run by the same clock. */
    const timeouts = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const controller = new AbortController()
      setTimeout(() => controller.abort(), ms)
      return controller.signal
    })
    onTestFinished(() => {
      vi.useRealTimers()
      timeouts.mockRestore()
    })
    await consoleCache.answer(visit('/ui/'))
    vi.advanceTimersByTime(60_000)
    expect(signals.at(-1)?.aborted).toBe(false)
    server.answer = () =>
      new Promise((_resolve, reject) => {
        signals.at(-1)?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')))
      })
    const late = consoleCache.answer(visit('/ui/'))
    vi.advanceTimersByTime(5000)
    expect(await textOf(late)).toBe('page with assets/index-1.js')
  })

  test('fails as it would have where nothing is kept', async () => {
    const { server, caches, fetch } = browser()
    const consoleCache = consoleCacheOf(buildOf('1'), { origin, caches, fetch })
    server.answer = gone
    await expect(consoleCache.answer(visit('/ui/'))).rejects.toThrow('Failed to fetch')
    server.answer = () => new Response('away', { status: 503 })
    expect(await textOf(consoleCache.answer(visit('/ui/')))).toBe('away')
  })
})

describe('files', () => {
  test('come from what is kept, of this build and the last; others from the server', async () => {
    const { server, asked, start } = browser()
    await start('1')
    server.answer = serving('2')
    const consoleCache = await start('2')
    asked.length = 0
    expect(await textOf(consoleCache.answer(requestOf('/ui/assets/look-1.css')))).toBe('/ui/assets/look-1.css')
    expect(await textOf(consoleCache.answer(requestOf('/ui/assets/look-2.css')))).toBe('/ui/assets/look-2.css')
    expect(asked).toEqual([])
    expect((await consoleCache.answer(requestOf('/ui/assets/rare-9.js')))?.status).toBe(404)
    expect(asked).toEqual(['/ui/assets/rare-9.js'])
  })

  test.each([
    ['/v1/streams', {}],
    ['/v1/stream/gate/live/segment-1.m4s', {}],
    ['/ui/config.json', {}],
    ['/ui/sw.js', {}],
    ['/ui/assets/index-1.js', { method: 'POST' }],
    ['https://elsewhere.example/ui/assets/index-1.js', {}],
  ])('%s is none of its business', async (path, init) => {
    const { start } = browser()
    expect((await start('1')).answer(requestOf(path, init))).toBeUndefined()
  })
})
