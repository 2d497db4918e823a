import type { Page, Route } from 'playwright/test'

export const second = 1000
export const minute = 60 * second

/** A recorded range, epoch milliseconds. */
export type Fragment = { from: number; to: number }
/**
 * What happens to a request: the server answers it, it is refused with a status, broken off, or held until it is
 * released.
 */
type Outcome = 'served' | number | 'cut' | 'held'

type Alterations = {
  /** The recorded ranges in archive/ranges; null for the real ones. */
  recorded: readonly Fragment[] | null
  /** The start of every annotation; null for the real ones. */
  annotated: readonly number[] | null
  ranges: Outcome
  /** Requests of ranges that end before this moment are always answered. */
  rangesServedUntil: number
  stream: Outcome
  streamChanges: Record<string, unknown>
  settingsChanges: Record<string, unknown>
  playlist: Outcome
  /** Replaces the codecs in the playlist of the main rendition. */
  codecs: string | null
  /** The live playlist ends with EXT-X-ENDLIST. */
  isLiveOver: boolean
  /** The number of segments after which an archive playlist ends. */
  archiveSegments: number
  segments: Outcome
  /** The number of segments that are served before the fault begins. */
  segmentsServed: number
}

const unaltered: Alterations = {
  recorded: null,
  annotated: null,
  ranges: 'served',
  rangesServedUntil: 0,
  stream: 'served',
  streamChanges: {},
  settingsChanges: {},
  playlist: 'served',
  codecs: null,
  isLiveOver: false,
  archiveSegments: Number.POSITIVE_INFINITY,
  segments: 'served',
  segmentsServed: 0,
}

const instant = (at: number) => new Date(at).toISOString()
const moment = (query: URLSearchParams, name: string) => Date.parse(query.get(name) ?? '')

/**
 * The embedded server with some answers changed by a test: real playlists and real video, in states that a healthy
 * server doesn't have.
 */
export class AlteredServer {
  private alterations: Alterations = unaltered
  /** Release the held requests. */
  private readonly held = new Set<() => void>()

  /** Changes more answers; requests that are no longer held are released. */
  alter(alterations: Partial<Alterations>): void {
    this.alterations = { ...this.alterations, ...alterations }
    const held = [...this.held]
    this.held.clear()
    for (const release of held) release()
  }

  /** Restores all answers and releases held requests. */
  restore(): void {
    this.alter(unaltered)
  }

  /** Handles the requests of a page from now on. */
  async watch(page: Page): Promise<void> {
    await page.route('**/v1/system/internal/ui/settings', (route) =>
      this.edited(route, () => this.alterations.settingsChanges),
    )
    await page.route(/\/v1\/stream\/(?!preview|probe)[\w-]+(?:\?|$)/, (route) =>
      this.answer(
        route,
        () => this.alterations.stream,
        () => this.edited(route, () => this.alterations.streamChanges),
      ),
    )
    await page.route(/\/archive\/ranges\?/, (route) => {
      const to = moment(new URL(route.request().url()).searchParams, 'end_time')
      return this.answer(
        route,
        () => (to <= this.alterations.rangesServedUntil ? 'served' : this.alterations.ranges),
        () => this.serveRanges(route),
      )
    })
    await page.route(/\/archive\/stats/, (route) => {
      const first = this.alterations.recorded?.[0]
      return first === undefined
        ? route.continue()
        : route.fulfill({ json: { period: { startTime: instant(first.from), endTime: instant(Date.now()) } } })
    })
    await page.route(/\/v1\/annotations\?/, (route) => {
      const { annotated } = this.alterations
      return annotated === null
        ? route.continue()
        : route.fulfill({ json: { items: annotated.map((at) => ({ type: 'event', time: instant(at) })) } })
    })
    await page.route(/\/archive\/index\.m3u8/, (route) =>
      this.answer(
        route,
        () => this.alterations.playlist,
        () =>
          this.rewritten(route, (text) =>
            this.alterations.codecs === null || hasRendition(route)
              ? text
              : text.replace(/CODECS="[^"]*"/, `CODECS="${this.alterations.codecs}"`),
          ),
      ),
    )
    await page.route(/\/archive\/live\.m3u8/, (route) =>
      this.answer(
        route,
        () => this.alterations.playlist,
        () => this.rewritten(route, (text) => (this.alterations.isLiveOver ? `${text}#EXT-X-ENDLIST\n` : text)),
      ),
    )
    await page.route(/\/archive\/recorded\.m3u8/, (route) =>
      this.answer(
        route,
        () => this.alterations.playlist,
        () => this.rewritten(route, (text) => cutAfter(text, this.alterations.archiveSegments)),
      ),
    )
    await page.route(/\/archive\/(?:live|recorded)\/[^/]+$/, (route) => {
      if (this.alterations.segments === 'served') return route.continue()
      if (this.alterations.segmentsServed > 0) {
        this.alterations = { ...this.alterations, segmentsServed: this.alterations.segmentsServed - 1 }
        return route.continue()
      }
      return this.answer(
        route,
        () => this.alterations.segments,
        () => route.continue(),
      )
    })
  }

  private async answer(route: Route, outcomeNow: () => Outcome, serve: () => Promise<void>): Promise<void> {
    const outcome = outcomeNow()
    if (outcome === 'served') return serve()
    if (outcome === 'cut') return route.abort('connectionrefused')
    if (outcome !== 'held')
      return route.fulfill({ status: outcome, json: { code: outcome === 403 ? 'Forbidden' : 'ServerError' } })
    await new Promise<void>((resolve) => this.held.add(resolve))
    return this.answer(route, outcomeNow, serve)
  }

  private async edited(route: Route, changes: () => Record<string, unknown>): Promise<void> {
    if (Object.keys(changes()).length === 0) return route.continue()
    const response = await route.fetch()
    return route.fulfill({ response, json: { ...(await response.json()), ...changes() } })
  }

  private async rewritten(route: Route, change: (text: string) => string): Promise<void> {
    const url = new URL(route.request().url())
    url.searchParams.delete('rendition')
    const response = await route.fetch({ url: url.href })
    return route.fulfill({ response, body: change(await response.text()) })
  }

  private async serveRanges(route: Route): Promise<void> {
    const { recorded } = this.alterations
    if (recorded === null) return route.continue()
    const query = new URL(route.request().url()).searchParams
    const [from, to] = [moment(query, 'start_time'), moment(query, 'end_time')]
    const ranges = recorded
      .filter((fragment) => fragment.to > from && fragment.from < to)
      .flatMap((fragment) => [
        { date: instant(Math.max(from, fragment.from)), status: 1 },
        { date: instant(Math.min(to, fragment.to)), status: 0 },
      ])
    return route.fulfill({ json: { period: { startTime: instant(from), endTime: instant(to) }, ranges } })
  }
}

/** The real server has only the main rendition and serves it for every rendition. */
const hasRendition = (route: Route) => new URL(route.request().url()).searchParams.has('rendition')

/** An archive playlist with only its first segments. */
function cutAfter(text: string, segments: number): string {
  const lines = text.split('\n')
  const ends = lines.flatMap((line, index) => (line !== '' && !line.startsWith('#') ? [index] : []))
  const end = ends[segments - 1]
  return end === undefined ? text : `${lines.slice(0, end + 1).join('\n')}\n#EXT-X-ENDLIST\n`
}
