export interface Build {
  /** Differs wherever a file or the page does. */
  readonly id: string
  readonly page: string
  /** The script that a page of this build starts with, and no other's. */
  readonly entry: string
  /** Everything that the page may ask for; each is named by its content. */
  readonly files: readonly string[]
}

interface Ports {
  readonly origin: string
  readonly caches: Pick<CacheStorage, 'open' | 'keys' | 'delete' | 'match'>
  readonly fetch: (request: Request | string, init?: RequestInit) => Promise<Response>
}

const prefix = 'console-'
/** Statuses by which a proxy reports that the server is away. */
const awayStatuses: readonly number[] = [502, 503, 504]
const patienceMs = 5_000
/** A file is the same whatever the headers of its request. */
const ignoringVary = { ignoreVary: true }

/**
 * Caches the console for use while the server is away. The page comes from the server if it answers, so that a new
 * build shows at once; else from the cache, whole: page and files are cached together or not at all. Files come from
 * the cache, as their names identify their contents. Calls, media and the configuration are never cached.
 */
export function consoleCacheOf({ id, page, entry, files }: Build, { origin, caches, fetch }: Ports) {
  const own = `${prefix}${id}`
  const assets = `${origin}${page}assets/`

  const kept = () => caches.match(page, { ...ignoringVary, cacheName: own })

  async function pageFor(request: Request): Promise<Response> {
    try {
      const response = await fetch(request, { signal: AbortSignal.timeout(patienceMs) })
      return awayStatuses.includes(response.status) ? ((await kept()) ?? response) : response
    } catch (error) {
      const response = await kept()
      if (response === undefined) throw error
      return response
    }
  }

  return {
    /** One after another, to leave bandwidth for pictures. Fails if the server has another build by now. */
    async install(): Promise<void> {
      const cache = await caches.open(own)
      for (const file of files) if ((await cache.match(file, ignoringVary)) === undefined) await cache.add(file)
      const response = await fetch(page, { cache: 'no-store' })
      if (!response.ok || !(await response.clone().text()).includes(entry))
        throw new Error('the server has another build')
      await cache.put(page, response)
    },

    /** Deletes older builds except the last, whose files an open page may still request. */
    async activate(): Promise<void> {
      const others = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== own)
      await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)))
    },

    /** Undefined for requests that it doesn't handle. */
    answer(request: Request): Promise<Response> | undefined {
      if (request.mode === 'navigate') return pageFor(request)
      if (request.method !== 'GET' || !request.url.startsWith(assets)) return undefined
      return caches.match(request, ignoringVary).then((response) => response ?? fetch(request))
    },
  }
}
