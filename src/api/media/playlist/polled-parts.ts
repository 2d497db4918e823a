/** A reload that takes more of a part's duration is slow: a part is requested after the playlist that lists it. */
const slowShare = 5 / 6
/** So many slow reloads in a row are more than a moment's delay. */
const maxSlowReloads = 5

const hasPolledParts = (text: string): boolean =>
  /^#EXT-X-PART:/m.test(text) && !/^#EXT-X-SERVER-CONTROL:(?:.*,)?CAN-BLOCK-RELOAD=YES/m.test(text)

/** PART-TARGET of a playlist; 0 without it. */
export const partSecondsIn = (text: string): number =>
  Number.parseFloat(/^#EXT-X-PART-INF:(?:.*,)?PART-TARGET=([\d.]+)/m.exec(text)?.[1] ?? '0') || 0

/** A playlist of whole segments alone, without what a server says of parts. */
export const withoutParts = (text: string): string =>
  text.replaceAll(/^#EXT-X-(?:PART|PART-INF|PRELOAD-HINT|SERVER-CONTROL):.*\r?\n?/gm, '')

/**
 * For one source: returns the text of its playlists, without parts where these come too late. Where the server has no
 * blocking reloads each part takes two requests, and many tiles over a slow network would only queue; so after some
 * slow reloads whole segments are played.
 */
export function createPolledParts(): (text: string, reloadMs: number) => string {
  let slowReloads = 0
  return (text, reloadMs) => {
    if (!hasPolledParts(text)) return text
    if (slowReloads < maxSlowReloads)
      slowReloads = reloadMs > partSecondsIn(text) * 1000 * slowShare ? slowReloads + 1 : 0
    return slowReloads < maxSlowReloads ? text : withoutParts(text)
  }
}
