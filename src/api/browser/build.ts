/** Health must not wait for a page that hangs. */
const pageTimeoutMs = 5000

/**
 * Whether a reload would load another build of the console: the page that is now served names `build`, which this
 * document doesn't (docs/wire.md §5.1). Health alone isn't enough, as calls may be answered by another server with a
 * console of its own: `--upstream`, `apiBaseUrl` or a CDN.
 */
export async function isOutdated(build: string | undefined, signal: AbortSignal): Promise<boolean> {
  if (!build || document.head.innerHTML.includes(build)) return false
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), pageTimeoutMs)
  try {
    const init = { signal: AbortSignal.any([timeout.signal, signal]), cache: 'no-cache' } as const
    return (await (await fetch(import.meta.env.BASE_URL, init)).text()).includes(build)
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
