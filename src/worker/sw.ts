import { type Build, consoleCacheOf } from './console-cache.ts'
import { addressOf, messageOf, windowFor } from './messages.ts'

/** The build writes its value here, after all other files (scripts/worker-plugin.ts). */
declare const build: Omit<Build, 'page'>

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

interface PushEvent extends LastingEvent {
  readonly data: { json(): unknown } | null
}

interface NotificationEvent extends LastingEvent {
  readonly notification: { readonly data: unknown; close(): void }
}

interface Windows {
  matchAll(options: { type: 'window' }): Promise<readonly { readonly url: string; focus(): Promise<unknown> }[]>
  openWindow(address: string): Promise<unknown>
}

declare const self: {
  readonly caches: CacheStorage
  readonly clients: Windows
  readonly location: Location
  readonly registration: {
    showNotification(title: string, options: { body: string; tag: string; data: string }): Promise<void>
  }
  addEventListener(type: 'install', listener: (event: InstallEvent) => void): void
  addEventListener(type: 'activate', listener: (event: LastingEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void
  addEventListener(type: 'notificationclick', listener: (event: NotificationEvent) => void): void
  skipWaiting(): Promise<void>
}

/** This file is beside the console's page, which a proxy may put below another path. */
const page = new URL('./', self.location.href).pathname

const consoleCache = consoleCacheOf(
  { ...build, page },
  {
    origin: self.location.origin,
    caches: self.caches,
    fetch: (request, init) => fetch(request, init),
  },
)

self.addEventListener('install', (event) => {
  /** In browsers with static routes, calls and media bypass the worker and needn't wait until it runs. */
  void event.addRoutes?.([
    { condition: { urlPattern: new URL('../v1/*', self.location.href).pathname }, source: 'network' },
  ])
  event.waitUntil(consoleCache.install().then(() => self.skipWaiting()))
})
self.addEventListener('activate', (event) => event.waitUntil(consoleCache.activate()))
self.addEventListener('fetch', (event) => {
  const answer = consoleCache.answer(event.request)
  if (answer !== undefined) event.respondWith(answer)
})
self.addEventListener('push', (event) => {
  const { title, body, tag, path } = messageOf(() => event.data?.json())
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: path }))
})
self.addEventListener('notificationclick', (event) => {
  const address = addressOf(event.notification.data, { origin: self.location.origin, page })
  event.notification.close()
  const show = async () => {
    const open = windowFor(await self.clients.matchAll({ type: 'window' }), { address, page })
    return open === undefined ? self.clients.openWindow(address) : open.focus()
  }
  event.waitUntil(show())
})
