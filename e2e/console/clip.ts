import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import type { FakeRequest, FakeServer } from '../../tests/fixtures/fake-server.ts'

export const colours = ['red', 'lime', 'blue'] as const
type Colour = (typeof colours)[number]

/** The length of a segment of the clip. */
export const segmentMs = 2000

/** Six seconds of H.264: two of red, two of green, two of blue. */
interface Clip {
  init: Buffer
  segments: Buffer[]
}

const made: { clip: Clip | null } = { clip: null }

function makeClip(): Clip {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-clip-'))
  const read = (name: string) => readFileSync(join(folder, name))
  const source = (colour: string) => `color=${colour}:s=320x180:r=25:d=${segmentMs / 1000}`
  const inputs = colours.flatMap((colour) => ['-f', 'lavfi', '-i', source(colour)])
  const coding = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-g', '50', '-keyint_min', '50', '-sc_threshold', '0']
  const hls = ['-f', 'hls', '-hls_time', '2', '-hls_list_size', '0', '-hls_segment_type', 'fmp4', 'c.m3u8']
  const args = ['-nostdin', '-v', 'error', ...inputs, '-filter_complex', 'concat=n=3', ...coding, ...hls]
  try {
    execFileSync('ffmpeg', args, { cwd: folder })
    return { init: read('init.mp4'), segments: colours.map((_, index) => read(`c${index}.m4s`)) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A segment of a playlist: a colour, its date `at` in epoch milliseconds, and whether a discontinuity precedes it. */
export interface Entry {
  colour: Colour
  at: number
  isCut: boolean
}

/** `whole`: one file for each colour; `ranges`: byte ranges of one file. */
type Files = 'whole' | 'ranges'

function entryLines({ colour, at, isCut }: Entry, { segments }: Clip, files: Files): string[] {
  const index = colours.indexOf(colour)
  const before = segments.slice(0, index).reduce((sum, { length }) => sum + length, 0)
  const range = `#EXT-X-BYTERANGE:${segments[index]?.length ?? 0}@${before}`
  const name = files === 'whole' ? [`${colour}.m4s`] : [range, 'all.m4s']
  const date = `#EXT-X-PROGRAM-DATE-TIME:${new Date(at).toISOString()}`
  return [...(isCut ? ['#EXT-X-DISCONTINUITY'] : []), date, '#EXTINF:2.000,', ...name]
}

/** `live`: the numbers of segments and discontinuities before the first segment; null for a complete playlist. */
interface Form {
  files: Files
  live: { sequence: number; cuts: number } | null
}

export function playlistOf(clip: Clip, entries: readonly Entry[], { files, live }: Form): string {
  const head = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-TARGETDURATION:2', '#EXT-X-MAP:URI="init.mp4"']
  const body = entries.flatMap((entry) => entryLines(entry, clip, files))
  if (live === null) return [...head, ...body, '#EXT-X-ENDLIST', ''].join('\n')
  const position = [`#EXT-X-MEDIA-SEQUENCE:${live.sequence}`, `#EXT-X-DISCONTINUITY-SEQUENCE:${live.cuts}`]
  return [...head, ...position, ...body, ''].join('\n')
}

/** The live window of the clip, which repeats since the epoch. */
function livePlaylist(clip: Clip): string {
  const next = Math.floor(Date.now() / segmentMs)
  const numbers = Array.from({ length: 8 }, (_, index) => next - 8 + index)
  const entries = numbers.map((number) => {
    const at = number * segmentMs
    return { colour: colourAt(at), at, isCut: number % colours.length === 0 }
  })
  const sequence = next - 8
  return playlistOf(clip, entries, { files: 'whole', live: { sequence, cuts: Math.ceil(sequence / colours.length) } })
}

/** The colour of `livePlaylist` at a moment. */
export const colourAt = (at: number): Colour => colours[Math.floor(at / segmentMs) % colours.length] ?? 'red'

/** The requested byte range of a file. */
function ranged(file: Buffer, request: FakeRequest) {
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers()['range'] ?? '')
  if (range === null) return { body: file, headers: { 'content-type': 'video/mp4' } }
  const [from, to] = [Number(range[1]), range[2] === '' ? file.length - 1 : Number(range[2])]
  const headers = { 'content-type': 'video/mp4', 'content-range': `bytes ${from}-${to}/${file.length}` }
  return { status: 206, body: file.subarray(from, to + 1), headers }
}

/** Serves the clip as the media of a stream: live, or as `archive` says. */
export function answerClip(
  server: FakeServer,
  uid: string,
  archive: (clip: Clip) => string | Promise<string> = livePlaylist,
): void {
  const clip = (made.clip ??= makeClip())
  const media = `GET /v1/stream/${uid}/archive/`
  server.answer(`${media}index.m3u8`, async (request) => ({
    body: Buffer.from(new URL(request.url()).searchParams.has('start_time') ? await archive(clip) : livePlaylist(clip)),
    headers: { 'content-type': 'application/vnd.apple.mpegurl', 'cache-control': 'no-store' },
  }))
  server.answer(`${media}init.mp4`, { body: clip.init, headers: { 'content-type': 'video/mp4' } })
  server.answer(`${media}all.m4s`, (request) => ranged(Buffer.concat(clip.segments), request))
  for (const [index, segment] of clip.segments.entries()) {
    server.answer(`${media}${colours[index]}.m4s`, (request) => ranged(segment, request))
  }
}

/** Answers that only one range of the archive is recorded. */
export function answerRecorded(server: FakeServer, uid: string, recorded: { from: number; to: number }): void {
  const instant = (at: number) => new Date(at).toISOString()
  const period = (from: number, to: number) => ({ startTime: instant(from), endTime: instant(to) })
  const isIn = (at: number) => at >= recorded.from && at < recorded.to
  server.answer(`GET /v1/stream/${uid}/archive/ranges`, (request) => {
    const query = new URL(request.url()).searchParams
    const [from, to] = ['start_time', 'end_time'].map((name) => Date.parse(query.get(name) ?? ''))
    if (from === undefined || to === undefined) return { status: 400 }
    const changes = [from, ...[recorded.from, recorded.to].filter((at) => at > from && at < to)]
    const ranges = changes.map((at) => ({ date: instant(at), status: isIn(at) ? 1 : 0 }))
    return { json: { period: period(from, to), ranges } }
  })
  server.answer(`GET /v1/stream/${uid}/archive/stats`, { json: { period: period(recorded.from, recorded.to) } })
  server.answer(`GET /v1/stream/${uid}/archive/available-days`, { json: { days: [] } })
}

/** The moment on the player's clock and the colour on the screen; null while no colour of the clip is shown. */
export function shownIn(page: Page): Promise<{ at: number; colour: Colour } | null> {
  return page.getByRole('region', { name: 'Player' }).evaluate((region) => {
    const video = region.querySelector('video')
    const time = region.querySelector('time')
    const context = document.createElement('canvas').getContext('2d')
    if (video === null || video.readyState < 2 || context === null) return null
    context.drawImage(video, 0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
    const colour = red > 180 ? 'red' : green > 180 ? 'lime' : blue > 180 ? 'blue' : null
    const at = Date.parse(time?.dateTime ?? '')
    return colour === null || Number.isNaN(at) ? null : { at, colour }
  })
}
