import type { Page, Route } from 'playwright/test'

export const second = 1000
export const minute = 60 * second

/** A recorded range, epoch milliseconds. */
export type Fragment = { from: number; to: number }
/**
 * What becomes of a request: the server answers it, it is refused with a status, cut off, or held until it is released.
 */
type Fate = 'served' | number | 'cut' | 'held'

type Bends = {
  /** What is recorded, by the answer of archive/ranges; null for what really is. */
  recorded: readonly Fragment[] | null
  /** The start of every annotation; null for the real ones. */
  annotated: readonly number[] | null
  ranges: Fate
  /** Ranges that end before this moment are served whatever their fate. */
  rangesServedUntil: number
  stream: Fate
  streamChanges: Record<string, unknown>
  settingsChanges: Record<string, unknown>
  playlist: Fate
  /** What replaces the codecs that the playlist of the main rendition names. */
  codecs: string | null
  /** A live playlist announces its end. */
  isLiveOver: boolean
  /** An archive's playlist ends after so many segments. */
  archiveSegments: number
  segments: Fate
  /** So many segments are served before their fate holds. */
  segmentsServed: number
}

const straight: Bends = {
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
 * The embedded server with some of its answers bent by a test: real playlists and real video, in states that a
 * server in good health doesn't show.
 */
export class BentServer {
  private bends: Bends = straight
  private readonly waiting = new Set<() => void>()

  /** Bends it further; releases what is no longer held. */
  bend(bends: Partial<Bends>): void {
    this.bends = { ...this.bends, ...bends }
    const waiting = [...this.waiting]
    this.waiting.clear()
    for (const look of waiting) look()
  }

  /** As it was at first, with nothing held. */
  straighten(): void {
    this.bend(straight)
  }

  async watch(page: Page): Promise<void> {
    await page.route('**/v1/system/internal/ui/settings', (route) =>
      this.edited(route, () => this.bends.settingsChanges),
    )
    await page.route(/\/v1\/stream\/(?!preview|probe)[\w-]+(?:\?|$)/, (route) =>
      this.meet(
        route,
        () => this.bends.stream,
        () => this.edited(route, () => this.bends.streamChanges),
      ),
    )
    await page.route(/\/archive\/ranges\?/, (route) => {
      const to = moment(new URL(route.request().url()).searchParams, 'end_time')
      return this.meet(
        route,
        () => (to <= this.bends.rangesServedUntil ? 'served' : this.bends.ranges),
        () => this.serveRanges(route),
      )
    })
    await page.route(/\/archive\/stats/, (route) => {
      const first = this.bends.recorded?.[0]
      return first === undefined
        ? route.continue()
        : route.fulfill({ json: { period: { startTime: instant(first.from), endTime: instant(Date.now()) } } })
    })
    await page.route(/\/v1\/annotations\?/, (route) => {
      const { annotated } = this.bends
      return annotated === null
        ? route.continue()
        : route.fulfill({ json: { items: annotated.map((at) => ({ type: 'event', time: instant(at) })) } })
    })
    await page.route(/\/archive\/index\.m3u8/, (route) =>
      this.meet(
        route,
        () => this.bends.playlist,
        () =>
          this.rewritten(route, (text) =>
            this.bends.codecs === null || hasRendition(route)
              ? text
              : text.replace(/CODECS="[^"]*"/, `CODECS="${this.bends.codecs}"`),
          ),
      ),
    )
    await page.route(/\/archive\/live\.m3u8/, (route) =>
      this.meet(
        route,
        () => this.bends.playlist,
        () => this.rewritten(route, (text) => (this.bends.isLiveOver ? `${text}#EXT-X-ENDLIST\n` : text)),
      ),
    )
    await page.route(/\/archive\/recorded\.m3u8/, (route) =>
      this.meet(
        route,
        () => this.bends.playlist,
        () => this.rewritten(route, (text) => cutAfter(text, this.bends.archiveSegments)),
      ),
    )
    await page.route(/\/archive\/(?:live|recorded)\/[^/]+$/, (route) => {
      if (this.bends.segments === 'served') return route.continue()
      if (this.bends.segmentsServed > 0) {
        this.bends = { ...this.bends, segmentsServed: this.bends.segmentsServed - 1 }
        return route.continue()
      }
      return this.meet(
        route,
        () => this.bends.segments,
        () => route.continue(),
      )
    })
  }

  private async meet(route: Route, fateNow: () => Fate, serve: () => Promise<void>): Promise<void> {
    const fate = fateNow()
    if (fate === 'served') return serve()
    if (fate === 'cut') return route.abort('connectionrefused')
    if (fate !== 'held')
      return route.fulfill({ status: fate, json: { code: fate === 403 ? 'Forbidden' : 'ServerError' } })
    await new Promise<void>((resolve) => this.waiting.add(resolve))
    return this.meet(route, fateNow, serve)
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
    const { recorded } = this.bends
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

/** The server behind has the main rendition alone, and gives it for all that a bent stream offers. */
const hasRendition = (route: Route) => new URL(route.request().url()).searchParams.has('rendition')

/** A playlist of the archive with its first segments alone. */
function cutAfter(text: string, segments: number): string {
  const lines = text.split('\n')
  const ends = lines.flatMap((line, index) => (line !== '' && !line.startsWith('#') ? [index] : []))
  const end = ends[segments - 1]
  return end === undefined ? text : `${lines.slice(0, end + 1).join('\n')}\n#EXT-X-ENDLIST\n`
}
