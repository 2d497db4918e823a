/** Seconds; well within how far the archive stays behind live. */
export const growthSeconds = 5

/** The address of a range of the archive with another end, epoch milliseconds; null where it doesn't say its end. */
export function withEnd(address: string, to: number): string | null {
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  if (!url.searchParams.has('end_time')) return null
  url.searchParams.set('end_time', new Date(to).toISOString())
  return url.href
}

/** As one that only grows (rfc8216bis §4.4.3.5, EVENT), so that a player asks for more. */
export const asGrowing = (text: string): string =>
  text
    .replaceAll(/^#EXT-X-(?:ENDLIST|PLAYLIST-TYPE:.*)\r?\n?/gm, '')
    .replace(/^#EXTM3U\r?\n/, '#EXTM3U\n#EXT-X-PLAYLIST-TYPE:EVENT\n')
