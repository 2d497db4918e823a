import { consolePath } from '../console-path.ts'

declare global {
  interface Window {
    /** With Trusted Types, a worker script must come from a policy that the CSP names. */
    readonly trustedTypes?: {
      createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(url: string): string }
    }
  }
}

const scriptUrl = `${consolePath}/sw.js`

let trustedScriptUrl: string | undefined

/** Creates the policy only once, as browsers refuse a second policy of the same name. */
const trusted = (): string =>
  (trustedScriptUrl ??=
    window.trustedTypes?.createPolicy('worker', { createScriptURL: () => scriptUrl }).createScriptURL(scriptUrl) ??
    scriptUrl)

async function register(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator)) return null
  return navigator.serviceWorker.register(trusted(), { updateViaCache: 'none' }).catch(() => null)
}

/**
 * Installs or updates the service worker; without one, for example without HTTPS, the console works only while the
 * server answers.
 */
export async function registerServiceWorker(): Promise<void> {
  await register()
}

/** Waits until the service worker is active; false if it can't be installed, which makes it redundant. */
const becomesActive = ({ active, installing, waiting }: ServiceWorkerRegistration): Promise<boolean> => {
  const worker = installing ?? waiting
  if (active !== null || worker === null) return Promise.resolve(active !== null)
  return new Promise((resolve) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated' || worker.state === 'redundant') resolve(worker.state === 'activated')
    })
  })
}

/**
 * `unsupported`: no web push in this browser, or the page has no HTTPS. `denied`: the user or the browser's settings
 * refused. `dismissed`: the user closed the browser's prompt. `failed`: the service worker or the subscription failed.
 */
type PushRefusal = 'unsupported' | 'denied' | 'dismissed' | 'failed'
/** `address`: the push subscription as JSON, as a destination of alerts has it (docs/wire.md §6.2). */
export type PushAnswer = { ok: true; address: string } | { ok: false; reason: PushRefusal }

/**
 * Subscribes this browser to push messages of the server. `publicKey`: the server's, for VAPID. Call it only on a
 * click, as the browser asks the user for the permission.
 */
export async function subscribeToPush(publicKey: string): Promise<PushAnswer> {
  if (!('serviceWorker' in navigator) || !('Notification' in window) || !('PushManager' in window))
    return { ok: false, reason: 'unsupported' }
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return { ok: false, reason: permission === 'denied' ? 'denied' : 'dismissed' }
  try {
    const registration = (await navigator.serviceWorker.getRegistration(`${consolePath}/`)) ?? (await register())
    if (registration === null || !(await becomesActive(registration))) return { ok: false, reason: 'failed' }
    const { pushManager } = registration
    const subscribe = () => pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
    // Browsers refuse a key that differs from that of an existing subscription.
    const subscription = await subscribe().catch(async () => {
      await (await pushManager.getSubscription())?.unsubscribe()
      return subscribe()
    })
    return { ok: true, address: JSON.stringify(subscription) }
  } catch {
    return { ok: false, reason: 'failed' }
  }
}
