/** Installs the polyfill if the browser lacks Temporal; await it before a page that shows local times. */
export async function ensureTemporal(): Promise<void> {
  if ('Temporal' in globalThis) return
  const { install } = await import('temporal-polyfill/shim')
  install()
}
