export interface Build {
  /** Another one for each build in which a file or the page differs. */
  readonly id: string
  /** The path of the console's page, with a slash at the end. */
  readonly page: string
  /** The name of the script that pages of this build, and no other, begin with. */
  readonly entry: string
  /** All files that the page may request, relative to it; each name contains a hash of the content. */
  readonly files: readonly string[]
}

interface Ports {
  readonly origin: string
  readonly caches: Pick<CacheStorage, 'open' | 'keys' | 'delete' | 'match'>
  readonly fetch: (request: Request | string, init?: RequestInit) => Promise<Response>
}

const cachePrefix = 'console-'
/** Statuses by which a proxy reports that the server is away. */
const awayStatuses: readonly number[] = [502, 503, 504]
const pageTimeoutMs = 5_000
/** The server answers with the same file whatever the headers of the request. */
const ignoringVary = { ignoreVary: true }

/**
 * Caches the console for use while the server is away. The page comes from the server if it answers, so that a new
 * build is used at once; else from the cache. Page and files of a build are cached together or not at all. Files come
 * from the cache, as their names identify their contents. Calls, media and the configuration are never cached.
 */
export function consoleCacheOf({ id, page, entry, files }: Build, { origin, caches, fetch }: Ports) {
  const own = `${cachePrefix}${id}`
  const assets = `${origin}${page}assets/`

  const pageIn = (cacheName: string) => caches.match(page, { ...ignoringVary, cacheName })
  const cachedPage = () => pageIn(own)

  /** Limits the wait for the first byte only: a page that has begun may arrive slowly. */
  async function fetchPage(request: Request): Promise<Response> {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), pageTimeoutMs)
    try {
      return await fetch(request, { signal: controller.signal })
    } finally {
      clearTimeout(timer)
    }
  }

  async function pageFor(request: Request): Promise<Response> {
    try {
      const response = await fetchPage(request)
      return awayStatuses.includes(response.status) ? ((await cachedPage()) ?? response) : response
    } catch (error) {
      const response = await cachedPage()
      if (response === undefined) throw error
      return response
    }
  }

  return {
    /** Fetches the files one after another, to leave bandwidth for pictures. Fails if the server has a newer build. */
    async install(): Promise<void> {
      const cache = await caches.open(own)
      for (const file of files.map((name) => page + name))
        if ((await cache.match(file, ignoringVary)) === undefined) await cache.add(file)
      const response = await fetch(page, { cache: 'no-store' })
      if (!response.ok || !(await response.clone().text()).includes(entry))
        throw new Error('the server has another build')
      await cache.put(page, response)
    },

    /**
     * Deletes older builds except the one before this, whose files an open page may still request. A build without its
     * page was never complete, so no page is open of it.
     */
    async activate(): Promise<void> {
      const others = (await caches.keys()).filter((name) => name.startsWith(cachePrefix) && name !== own)
      const pages = await Promise.all(others.map(pageIn))
      const before = others.findLast((_name, index) => pages[index] !== undefined)
      await Promise.all(others.filter((name) => name !== before).map((name) => caches.delete(name)))
    },

    /** Undefined: the browser handles the request itself. */
    answer(request: Request): Promise<Response> | undefined {
      if (request.mode === 'navigate') return pageFor(request)
      if (request.method !== 'GET' || !request.url.startsWith(assets)) return undefined
      return caches.match(request, ignoringVary).then((response) => response ?? fetch(request))
    },
  }
}
