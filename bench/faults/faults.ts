import type { BrowserContext, Page, Route } from 'playwright'
import type { OwnServer } from '../../e2e/own-server.ts'
import type { Camera, Codec } from './camera.ts'
import type { Disk } from './disk.ts'
import type { Screen } from './screens.ts'

/** A fault that begins while a screen works, and ends after a while. */
export interface Fault {
  readonly name: string
  readonly holdsMs: number
  readonly isFor?: (screen: Screen) => boolean
  /** Screens that work during the fault. */
  readonly spares?: (screen: Screen) => boolean
  /** Whether recording must continue afterwards, too. */
  readonly stopsRecording?: boolean
  readonly needsDisk?: boolean
  /** Before the page is opened. */
  prepare?(context: BrowserContext): Promise<unknown>
  /** Begins the fault; returns the function that ends it. */
  inflict?(scene: Scene): Promise<() => Promise<unknown>>
}

export interface Scene {
  readonly page: Page
  readonly server: OwnServer
  readonly camera: Camera
  readonly disk: Disk | null
}

const calls = '**/v1/**'

/** Changes every answer of the server. */
const everyAnswer =
  (change: (route: Route) => Promise<unknown>) =>
  async ({ page }: Scene) => {
    await page.route(calls, (route) => change(route).catch(() => undefined))
    return () => page.unroute(calls)
  }

const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms)
  })

/** The browser's network is offline. */
const cut = async ({ page }: Scene) => {
  await page.context().setOffline(true)
  return () => page.context().setOffline(false)
}

const refused = (status: number, code: string, headers: Record<string, string> = {}) =>
  everyAnswer((route) =>
    route.fulfill({ status, headers, contentType: 'application/json', body: JSON.stringify({ code }) }),
  )

function cameraLost(name: string, change?: 'of size' | Codec): Fault {
  return {
    name,
    holdsMs: 10_000,
    isFor: (screen) => screen.name === 'live' || screen.name === 'mosaic',
    async inflict({ camera }) {
      camera.lose()
      return async () => camera.comeBack(change)
    },
  }
}

/** Filled once, the server makes room by deleting its oldest recordings; kept full, only the end of the fault does. */
function diskFull(name: string, staysFull: boolean): Fault {
  return {
    name,
    holdsMs: 15_000,
    needsDisk: true,
    stopsRecording: true,
    isFor: (screen) => screen.isSignedOut !== true && !(staysFull && screen.name === 'archive'),
    spares: ({ name }) => name !== 'form half filled in',
    async inflict({ disk }) {
      disk?.fill(staysFull)
      return async () => disk?.free()
    },
  }
}

export const faults: readonly Fault[] = [
  {
    name: 'server killed, started after 5 s',
    holdsMs: 5000,
    async inflict({ server }) {
      await server.kill()
      return () => server.start()
    },
  },
  { name: 'network cut for 5 s', holdsMs: 5000, inflict: cut },
  {
    name: 'network cut for 60 s',
    holdsMs: 60_000,
    isFor: ({ hasVideo, name }) => hasVideo === true || name === 'list',
    inflict: cut,
  },
  {
    name: 'answers take 10 s',
    holdsMs: 20_000,
    inflict: everyAnswer((route) => pause(10_000).then(() => route.continue())),
  },
  {
    name: 'answers break off half way',
    holdsMs: 12_000,
    inflict: everyAnswer(async (route) => {
      const response = await route.fetch()
      const body = await response.body()
      await route.fulfill({ response, body: body.subarray(0, body.length / 2) })
    }),
  },
  {
    name: 'answers of another type',
    holdsMs: 12_000,
    inflict: everyAnswer((route) => route.fulfill({ contentType: 'text/html', body: '<h1>Welcome to the hotel</h1>' })),
  },
  { name: 'answers with 500', holdsMs: 12_000, inflict: refused(500, 'InternalServerError') },
  { name: 'answers with 429', holdsMs: 12_000, inflict: refused(429, 'TooManyRequests', { 'retry-after': '3' }) },
  cameraLost('camera lost for 10 s'),
  cameraLost('camera lost for 10 s, back with another size and sound', 'of size'),
  cameraLost('camera lost for 10 s, back with H.265', 'H.265'),
  cameraLost('camera lost for 10 s, back with MJPEG', 'MJPEG'),
  cameraLost('camera lost for 10 s, back with H.264', 'H.264'),
  {
    name: 'clock of the client 10 minutes slow',
    holdsMs: 0,
    prepare: (context) => context.addInitScript(setClock, -600_000),
  },
  {
    name: 'clock of the client 10 minutes fast',
    holdsMs: 0,
    prepare: (context) => context.addInitScript(setClock, 600_000),
  },
  {
    name: 'storage forbidden',
    holdsMs: 0,
    prepare: (context) =>
      context.addInitScript(() => {
        for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) {
          Object.defineProperty(globalThis, name, {
            get() {
              throw new DOMException('forbidden', 'SecurityError')
            },
          })
        }
      }),
  },
  {
    name: 'storage full',
    holdsMs: 0,
    prepare: (context) =>
      context.addInitScript(() => {
        Storage.prototype.setItem = () => {
          throw new DOMException('full', 'QuotaExceededError')
        }
      }),
  },
  // Last, as these faults delete recordings.
  diskFull('disk full', false),
  diskFull('disk kept full for 15 s', true),
]

function setClock(offMs: number): void {
  const Real = Date
  class Off extends Real {
    constructor(...args: [] | [number]) {
      if (args.length === 0) super(Real.now() + offMs)
      else super(...args)
    }
    static override now() {
      return Real.now() + offMs
    }
  }
  globalThis.Date = Off as DateConstructor
}
