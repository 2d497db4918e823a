declare global {
  interface Window {
    /** With Trusted Types, a worker script must come from a policy that the CSP names. */
    readonly trustedTypes?: {
      createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(address: string): string }
    }
  }
}

const address = `${import.meta.env.BASE_URL}sw.js`

/** Once per visit. Without HTTPS, or where the browser stores nothing, the console works without it. */
export async function cacheConsole(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const policy = window.trustedTypes?.createPolicy('worker', { createScriptURL: () => address })
  await navigator.serviceWorker
    .register(policy?.createScriptURL(address) ?? address, { updateViaCache: 'none' })
    .catch(() => null)
}
