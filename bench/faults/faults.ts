import type { BrowserContext, Page, Route } from 'playwright'
import type { OwnServer } from '../../e2e/own-server.ts'
import type { Camera, Codec } from './camera.ts'
import type { Disk } from './disk.ts'
import type { Screen } from './screens.ts'

/** What is done to a screen that is at work, and taken back after a while. */
export interface Fault {
  readonly name: string
  readonly holdsMs: number
  readonly isFor?: (screen: Screen) => boolean
  /** Screens that go on working all the while. */
  readonly spares?: (screen: Screen) => boolean
  /** Whether recording must go on afterwards too. */
  readonly stopsRecording?: boolean
  readonly needsDisk?: boolean
  /** Before the page is opened. */
  prepare?(context: BrowserContext): Promise<unknown>
  /** Answers what takes it back. */
  inflict?(scene: Scene): Promise<() => Promise<unknown>>
}

export interface Scene {
  readonly page: Page
  readonly server: OwnServer
  readonly camera: Camera
  readonly disk: Disk | null
}

const calls = '**/v1/**'

/** Every answer of the server, bent. */
const bent =
  (bend: (route: Route) => Promise<unknown>) =>
  async ({ page }: Scene) => {
    await page.route(calls, (route) => bend(route).catch(() => undefined))
    return () => page.unroute(calls)
  }

const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms)
  })

/** A deaf network, as the browser has it. */
const cut = async ({ page }: Scene) => {
  await page.context().setOffline(true)
  return () => page.context().setOffline(false)
}

const refused = (status: number, code: string, headers: Record<string, string> = {}) =>
  bent((route) => route.fulfill({ status, headers, contentType: 'application/json', body: JSON.stringify({ code }) }))

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

/**
 * A disk that is filled once: the server deletes its oldest recordings. Kept full, it stays so until the fault ends.
 */
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
  { name: 'answers take 10 s', holdsMs: 20_000, inflict: bent((route) => pause(10_000).then(() => route.continue())) },
  {
    name: 'answers break off half way',
    holdsMs: 12_000,
    inflict: bent(async (route) => {
      const response = await route.fetch()
      const body = await response.body()
      await route.fulfill({ response, body: body.subarray(0, body.length / 2) })
    }),
  },
  {
    name: 'answers of another type',
    holdsMs: 12_000,
    inflict: bent((route) => route.fulfill({ contentType: 'text/html', body: '<h1>Welcome to the hotel</h1>' })),
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
  // The last, as they take recordings with them.
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
