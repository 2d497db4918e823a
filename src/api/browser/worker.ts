declare global {
  interface Window {
    /** With Trusted Types, a worker script must come from a policy that the CSP names. */
    readonly trustedTypes?: {
      createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(address: string): string }
    }
  }
}

const address = `${import.meta.env.BASE_URL}sw.js`

let trustedAddress: string | undefined

/** A policy can be made once. */
const scriptAddress = (): string =>
  (trustedAddress ??=
    window.trustedTypes?.createPolicy('worker', { createScriptURL: () => address }).createScriptURL(address) ?? address)

async function register(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator)) return null
  return navigator.serviceWorker.register(scriptAddress(), { updateViaCache: 'none' }).catch(() => null)
}

/** Once per visit. Without HTTPS, or where the browser stores nothing, the console works without it. */
export async function cacheConsole(): Promise<void> {
  await register()
}

export type PushAnswer = { ok: true; address: string } | { ok: false; reason: 'unsupported' | 'denied' | 'failed' }

/**
 * Has this browser receive messages of the server, by its key; only on a press, as it asks the user. The address is the
 * subscription as JSON.
 */
export async function subscribeToPush(key: string): Promise<PushAnswer> {
  if (!('Notification' in window) || !('PushManager' in window)) return { ok: false, reason: 'unsupported' }
  if ((await Notification.requestPermission()) !== 'granted') return { ok: false, reason: 'denied' }
  try {
    const registration = (await navigator.serviceWorker.getRegistration(import.meta.env.BASE_URL)) ?? (await register())
    if (registration === null) return { ok: false, reason: 'unsupported' }
    await navigator.serviceWorker.ready
    const { pushManager } = registration
    const subscribe = () => pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
    // One by another server's key is in the way.
    const subscription = await subscribe().catch(async () => {
      await (await pushManager.getSubscription())?.unsubscribe()
      return subscribe()
    })
    return { ok: true, address: JSON.stringify(subscription) }
  } catch {
    return { ok: false, reason: 'failed' }
  }
}
