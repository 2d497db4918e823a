declare global {
  interface Window {
    /**
     * Where a browser has it, a script starts only from an address that was made by a policy which the page's own
     * policy names.
     */
    readonly trustedTypes?: {
      createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(address: string): string }
    }
  }
}

const address = `${import.meta.env.BASE_URL}sw.js`

/**
 * Has the browser keep the build that is running (src/worker), so that the console opens while the server is away. To
 * be called once. A page without HTTPS has no workers, and where the browser keeps nothing the console goes on without.
 */
export async function keepConsole(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const policy = window.trustedTypes?.createPolicy('worker', { createScriptURL: () => address })
  await navigator.serviceWorker
    .register(policy?.createScriptURL(address) ?? address, { updateViaCache: 'none' })
    .catch(() => null)
}
