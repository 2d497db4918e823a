/** Between two loads of the playlist of a growing archive range: less than the archive is behind live. */
export const growingReloadSeconds = 5

/** The URL of an archive range with another end, in epoch milliseconds; null if the URL has no `end_time`. */
export function withEnd(url: string, to: number): string | null {
  if (!URL.canParse(url)) return null
  const parsed = new URL(url)
  if (!parsed.searchParams.has('end_time')) return null
  parsed.searchParams.set('end_time', new Date(to).toISOString())
  return parsed.href
}

/** Marks a playlist as growing (rfc8216bis §4.4.3.5, EVENT), so that players reload it. */
export const asGrowing = (text: string): string =>
  text
    .replaceAll(/^#EXT-X-(?:ENDLIST|PLAYLIST-TYPE:.*)\r?\n?/gm, '')
    .replace(/^#EXTM3U\r?\n/, '#EXTM3U\n#EXT-X-PLAYLIST-TYPE:EVENT\n')
