import { setTimeout as after } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright'
import type { Figure } from './figures.ts'
import type { Measure } from './harness.ts'
import { videosHeld } from './leaks.ts'
import { mosaicOf } from './mosaic.ts'
import { processTree, usedBy } from './processes.ts'
import { withDetachedDebugger } from './without-debugger.ts'

const tiles = 16
const framesPerSecond = 25
/** Rates are counted over so many seconds before each reading. */
const countedSeconds = 30
const firstSeconds = 60

interface Reading {
  /** Of each tile, for each second. */
  frames: number[]
  /** Per cent of the frames of all tiles. */
  dropped: number
  /** Per cent of one core. */
  browser: number
  server: number
  heapBytes: number
  residentBytes: number
  serverBytes: number
  sockets: number
  videos: number
}

const megabyte = 1024 * 1024

async function read(page: Page, cdp: CDPSession, browserPid: number, serverPid: number | null): Promise<Reading> {
  const serverPids = () => (serverPid === null ? [] : processTree(serverPid))
  // Before the debugger uses memory.
  const { residentBytes } = usedBy(processTree(browserPid))
  const count = async () => ({
    frames: await page.evaluate(() =>
      Array.from(document.querySelectorAll('video'), (video) => {
        const { totalVideoFrames, droppedVideoFrames } = video.getVideoPlaybackQuality()
        return { total: totalVideoFrames, dropped: droppedVideoFrames }
      }),
    ),
    browser: usedBy(processTree(browserPid)),
    server: usedBy(serverPids()),
    at: performance.now() / 1000,
  })
  const before = await count()
  await page.waitForTimeout(countedSeconds * 1000)
  const later = await count()
  const seconds = later.at - before.at
  const frames = later.frames.map(({ total, dropped }, tile) => ({
    total: total - (before.frames[tile]?.total ?? 0),
    dropped: dropped - (before.frames[tile]?.dropped ?? 0),
  }))
  const [total, dropped] = frames.reduce(([all, lost], tile) => [all + tile.total, lost + tile.dropped], [0, 0])
  for (let round = 0; round < 3; round += 1) await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  const videos = await videosHeld(cdp)
  return {
    frames: frames.map((tile) => (tile.total - tile.dropped) / seconds),
    dropped: (dropped / Math.max(1, total)) * 100,
    browser: ((later.browser.processorSeconds - before.browser.processorSeconds) / seconds) * 100,
    server: ((later.server.processorSeconds - before.server.processorSeconds) / seconds) * 100,
    heapBytes: usedSize,
    residentBytes,
    serverBytes: later.server.residentBytes,
    sockets: later.browser.sockets,
    videos,
  }
}

const figuresOf = (when: string, reading: Reading): Figure[] => [
  {
    name: `Wall of ${tiles}, frames a tile shows of its ${framesPerSecond}, ${when}`,
    unit: 'a second less',
    values: reading.frames.map((frames) => Math.max(0, framesPerSecond - frames)),
    goal: { p95: 1 },
  },
  { name: `Wall of ${tiles}, frames dropped, ${when}`, unit: '%', values: [reading.dropped], goal: { worst: 1 } },
  { name: `Wall of ${tiles}, browser, ${when}`, unit: '% of a core', values: [reading.browser], goal: {} },
  { name: `Wall of ${tiles}, server, ${when}`, unit: '% of a core', values: [reading.server], goal: {} },
  { name: `Wall of ${tiles}, heap, ${when}`, unit: 'MB', values: [reading.heapBytes / megabyte], goal: {} },
  {
    name: `Wall of ${tiles}, browser resident, ${when}`,
    unit: 'MB',
    values: [reading.residentBytes / megabyte],
    goal: {},
  },
  {
    name: `Wall of ${tiles}, server resident, ${when}`,
    unit: 'MB',
    values: [reading.serverBytes / megabyte],
    goal: {},
  },
]

/**
 * Sixteen live tiles, after a minute and after `--minutes`: what they show, what they cost, and what has grown
 * meanwhile.
 */
export const wall: Measure = async ({ page: signedIn, address, minutes, serverPid }) => {
  const mosaic = await mosaicOf(signedIn, tiles)
  const cookies = await signedIn.context().cookies()
  await signedIn.goto('about:blank')
  const { first, last } = await withDetachedDebugger(async ({ pid, attach }) => {
    await attach(async (page) => {
      await page.context().addCookies(cookies)
      await page.goto(`${address}/ui/mosaic/${mosaic}`)
    })
    const opened = performance.now()
    const readAt = async (seconds: number) => {
      await after(Math.max(0, opened + (seconds - countedSeconds) * 1000 - performance.now()))
      return attach((page, cdp) => read(page, cdp, pid, serverPid))
    }
    const first = await readAt(firstSeconds)
    return { first, last: minutes <= 1 ? first : await readAt(minutes * 60) }
  })
  if (minutes <= 1) return figuresOf('1 min', first)
  const grown = (name: 'heapBytes' | 'residentBytes' | 'serverBytes') => (last[name] / first[name] - 1) * 100
  const since = `from 1 to ${minutes} min`
  return [
    ...figuresOf('1 min', first),
    ...figuresOf(`${minutes} min`, last),
    { name: `Wall of ${tiles}, heap, ${since}`, unit: '% more', values: [grown('heapBytes')], goal: { worst: 10 } },
    {
      name: `Wall of ${tiles}, browser resident, ${since}`,
      unit: '% more',
      values: [grown('residentBytes')],
      goal: { worst: 10 },
    },
    {
      name: `Wall of ${tiles}, server resident, ${since}`,
      unit: '% more',
      values: [grown('serverBytes')],
      goal: { worst: 25 },
    },
    {
      name: `Wall of ${tiles}, sockets, ${since}`,
      unit: 'more',
      values: [last.sockets - first.sockets],
      goal: { worst: 4 },
    },
    {
      name: `Wall of ${tiles}, media elements, ${since}`,
      unit: 'more',
      values: [last.videos - first.videos],
      goal: { worst: 0 },
    },
  ]
}
