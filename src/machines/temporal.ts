/**
 * Temporal is native in current engines; everything reads the global. Where it is missing this brings the polyfill,
 * and has to be awaited before a screen that draws local time.
 */
export async function ensureTemporal(): Promise<void> {
  if ('Temporal' in globalThis) return
  const { install } = await import('temporal-polyfill/shim')
  install()
}
