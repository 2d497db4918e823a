/** Seconds; well within how far the archive stays behind live. */
export const growthSeconds = 5

/** The URL of an archive range with another end (epoch milliseconds); null if it has no end parameter. */
export function withEnd(address: string, to: number): string | null {
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  if (!url.searchParams.has('end_time')) return null
  url.searchParams.set('end_time', new Date(to).toISOString())
  return url.href
}

/** Marks the playlist as growing (rfc8216bis §4.4.3.5, EVENT), so that players reload it. */
export const asGrowing = (text: string): string =>
  text
    .replaceAll(/^#EXT-X-(?:ENDLIST|PLAYLIST-TYPE:.*)\r?\n?/gm, '')
    .replace(/^#EXTM3U\r?\n/, '#EXTM3U\n#EXT-X-PLAYLIST-TYPE:EVENT\n')
