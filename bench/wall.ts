import type { Figure } from './figures.ts'
import type { Bench, Measure } from './harness.ts'
import { videosHeld } from './leaks.ts'
import { mosaicOf } from './mosaic.ts'
import { familyOf, usedBy } from './processes.ts'

const tiles = 16
const framesPerSecond = 25
/** What is counted is counted over so many seconds before each reading. */
const countedSeconds = 30
const firstSeconds = 60

interface Reading {
  /** Of each tile in a second. */
  frames: number[]
  /** Of the frames of all tiles, per cent. */
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

async function read({ page, cdp, serverPid }: Bench): Promise<Reading> {
  const browser = await page.context().browser()?.newBrowserCDPSession()
  const browserPids = async () => (await browser?.send('SystemInfo.getProcessInfo'))?.processInfo.map(({ id }) => id) ?? []
  const serverPids = () => (serverPid === null ? [] : familyOf(serverPid))
  const count = async () => ({
    frames: await page.evaluate(() =>
      Array.from(document.querySelectorAll('video'), (video) => {
        const { totalVideoFrames, droppedVideoFrames } = video.getVideoPlaybackQuality()
        return { total: totalVideoFrames, dropped: droppedVideoFrames }
      }),
    ),
    browser: usedBy(await browserPids()),
    server: usedBy(serverPids()),
    at: performance.now() / 1000,
  })
  const before = await count()
  await page.waitForTimeout(countedSeconds * 1000)
  const after = await count()
  const seconds = after.at - before.at
  const frames = after.frames.map(({ total, dropped }, tile) => ({ total: total - (before.frames[tile]?.total ?? 0), dropped: dropped - (before.frames[tile]?.dropped ?? 0) }))
  const [total, dropped] = frames.reduce(([all, lost], tile) => [all + tile.total, lost + tile.dropped], [0, 0])
  for (let round = 0; round < 3; round += 1) await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  const videos = await videosHeld(cdp)
  await browser?.detach()
  return {
    frames: frames.map((tile) => (tile.total - tile.dropped) / seconds),
    dropped: (dropped / Math.max(1, total)) * 100,
    browser: ((after.browser.processorSeconds - before.browser.processorSeconds) / seconds) * 100,
    server: ((after.server.processorSeconds - before.server.processorSeconds) / seconds) * 100,
    heapBytes: usedSize,
    residentBytes: after.browser.residentBytes,
    serverBytes: after.server.residentBytes,
    sockets: after.browser.sockets,
    videos,
  }
}

const figuresOf = (when: string, reading: Reading): Figure[] => [
  { name: `Wall of ${tiles}, frames a tile shows of its ${framesPerSecond}, ${when}`, unit: 'a second less', values: reading.frames.map((frames) => Math.max(0, framesPerSecond - frames)), goal: { p95: 1 } },
  { name: `Wall of ${tiles}, frames dropped, ${when}`, unit: '%', values: [reading.dropped], goal: { worst: 1 } },
  { name: `Wall of ${tiles}, browser, ${when}`, unit: '% of a core', values: [reading.browser], goal: {} },
  { name: `Wall of ${tiles}, server, ${when}`, unit: '% of a core', values: [reading.server], goal: {} },
  { name: `Wall of ${tiles}, heap, ${when}`, unit: 'MB', values: [reading.heapBytes / megabyte], goal: {} },
  { name: `Wall of ${tiles}, browser resident, ${when}`, unit: 'MB', values: [reading.residentBytes / megabyte], goal: {} },
  { name: `Wall of ${tiles}, server resident, ${when}`, unit: 'MB', values: [reading.serverBytes / megabyte], goal: {} },
]

/** Sixteen live tiles, after a minute and after `--minutes`: what they show, what they cost, and what has grown meanwhile. */
export const wall: Measure = async (bench) => {
  const { page, cdp, address, minutes } = bench
  await cdp.send('Performance.enable')
  await page.goto(`${address}/ui/mosaic/${await mosaicOf(page, tiles)}`)
  const opened = performance.now()
  const wait = (seconds: number) => page.waitForTimeout(Math.max(0, opened + (seconds - countedSeconds) * 1000 - performance.now()))
  await wait(firstSeconds)
  const first = await read(bench)
  if (minutes <= 1) return figuresOf('1 min', first)
  await wait(minutes * 60)
  const last = await read(bench)
  const grown = (name: 'heapBytes' | 'residentBytes' | 'serverBytes') => (last[name] / first[name] - 1) * 100
  const since = `from 1 to ${minutes} min`
  return [
    ...figuresOf('1 min', first),
    ...figuresOf(`${minutes} min`, last),
    { name: `Wall of ${tiles}, heap, ${since}`, unit: '% more', values: [grown('heapBytes')], goal: { worst: 10 } },
    { name: `Wall of ${tiles}, browser resident, ${since}`, unit: '% more', values: [grown('residentBytes')], goal: { worst: 10 } },
    { name: `Wall of ${tiles}, server resident, ${since}`, unit: '% more', values: [grown('serverBytes')], goal: { worst: 25 } },
    { name: `Wall of ${tiles}, sockets, ${since}`, unit: 'more', values: [last.sockets - first.sockets], goal: { worst: 4 } },
    { name: `Wall of ${tiles}, media elements, ${since}`, unit: 'more', values: [last.videos - first.videos], goal: { worst: 0 } },
  ]
}
