import { consolePath } from '../console-path.ts'
import { withTimeLimit } from '../time-limit.ts'

/** Health must not wait for a page that hangs. */
const pageTimeoutMs = 5000

/**
 * Whether a reload would load another build of the console: the page that is now served names `build`, which this
 * document doesn't (docs/wire.md §5.1). Health alone isn't enough, as calls may be answered by another server with a
 * console of its own: `--upstream`, `apiBaseUrl` or a CDN.
 */
export async function isOutdated(build: string | undefined, signal: AbortSignal): Promise<boolean> {
  if (!build || document.head.innerHTML.includes(build)) return false
  const readPage = async (limited: AbortSignal) =>
    (await fetch(`${consolePath}/`, { signal: limited, cache: 'no-cache' })).text()
  const page = await withTimeLimit(pageTimeoutMs, [signal], readPage).catch(() => '')
  return page.includes(build)
}
