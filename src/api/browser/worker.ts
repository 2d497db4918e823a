declare global {
  interface Window {
    /** Where a browser has it, scripts start only from addresses made by a policy that the page's policy names. */
    readonly trustedTypes?: {
      createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(address: string): string }
    }
  }
}

const address = `${import.meta.env.BASE_URL}sw.js`

/** Once a visit. A page without HTTPS has no workers; where the browser keeps nothing the console goes on without. */
export async function keepConsole(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const policy = window.trustedTypes?.createPolicy('worker', { createScriptURL: () => address })
  await navigator.serviceWorker
    .register(policy?.createScriptURL(address) ?? address, { updateViaCache: 'none' })
    .catch(() => null)
}
