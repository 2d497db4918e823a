/** Brings the polyfill where Temporal isn't native; await it before a screen that draws local time. */
export async function ensureTemporal(): Promise<void> {
  if ('Temporal' in globalThis) return
  const { install } = await import('temporal-polyfill/shim')
  install()
}
