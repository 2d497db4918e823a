import { type Build, consoleCacheOf } from './console-cache.ts'

/** Written in once everything else is built (scripts/worker-plugin.ts). */
declare const build: Build

interface LastingEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

interface InstallEvent extends LastingEvent {
  addRoutes?(routes: readonly { condition: { urlPattern: string }; source: 'network' }[]): Promise<void>
}

interface FetchEvent extends Event {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}

declare const self: {
  readonly caches: CacheStorage
  readonly location: Location
  addEventListener(type: 'install', listener: (event: InstallEvent) => void): void
  addEventListener(type: 'activate', listener: (event: LastingEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  skipWaiting(): Promise<void>
}

const consoleCache = consoleCacheOf(build, {
  origin: self.location.origin,
  caches: self.caches,
  fetch: (request, init) => fetch(request, init),
})

self.addEventListener('install', (event) => {
  /** Calls and media don't wait for the worker to wake where the browser can be told so. */
  void event.addRoutes?.([{ condition: { urlPattern: '/v1/*' }, source: 'network' }])
  event.waitUntil(consoleCache.install().then(() => self.skipWaiting()))
})
self.addEventListener('activate', (event) => event.waitUntil(consoleCache.activate()))
self.addEventListener('fetch', (event) => {
  const answer = consoleCache.answer(event.request)
  if (answer !== undefined) event.respondWith(answer)
})
