/**
 * Whether a reload would load another build of the console: the page that is now served names `build`, which this
 * document doesn't (docs/wire.md §5.1). Health alone doesn't tell, as calls may be answered by another server with a
 * console of its own: `--upstream`, `apiBaseUrl` or a CDN.
 */
export async function isOutdated(build: string | undefined, signal: AbortSignal): Promise<boolean> {
  if (!build || document.head.innerHTML.includes(build)) return false
  const page = await fetch(import.meta.env.BASE_URL, { signal, cache: 'no-cache' }).catch(() => null)
  return (await page?.text().catch(() => ''))?.includes(build) === true
}
