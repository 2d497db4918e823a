import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { buildServer } from '../server/app.ts'
import { createStreamsPlugin } from '../server/streams/plugin.ts'
import type { Site } from '../server/streams/site.ts'
import { row } from '../tests/server/fixtures/paused-stream.ts'
import { startCamera } from './faults/camera.ts'

/**
 * Records cameras for some minutes and prints what is missing: `node bench/record.ts [minutes] [rtsp port]`. RTSP by
 * GStreamer (bench/rtsp-server.py lists the packages), MPEG-TS over HTTP by ffmpeg.
 */
const minutes = Number(process.argv[2] ?? 10)
const rtspPort = process.argv[3] ?? '8554'

const camera = await startCamera({ hasSound: true })
const rtsp = spawn('python3', [resolve(import.meta.dirname, 'rtsp-server.py'), rtspPort], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
await once(rtsp.stdout, 'data')

const dataDir = mkdtempSync(join(tmpdir(), 'sightline-record-'))
const sites: Site[] = []
const plugin = createStreamsPlugin({ allowLoopback: true, onSite: (site) => sites.push(site) })
const app = await buildServer({ dataDir, distDir: dataDir, plugins: [plugin] })
const [site] = sites
if (site === undefined) throw new Error('no site')

const sources = {
  'MPEG-TS over HTTP': camera.url,
  'RTSP, H.264 and AAC': `rtsp://127.0.0.1:${rtspPort}/h264`,
  'RTSP, H.264, 4 s between keyframes': `rtsp://127.0.0.1:${rtspPort}/h264-long`,
  'RTSP, MJPEG': `rtsp://127.0.0.1:${rtspPort}/mjpeg`,
}
for (const [name, source] of Object.entries(sources)) {
  await site.add({ ...row, uid: name, name, source, isPaused: false, createdAt: Date.now() })
}
await after(minutes * 60_000)
let gaps = 0
for (const name of Object.keys(sources)) {
  const period = await site.index.period(name)
  const ranges = period === undefined ? [] : await site.index.recordedRanges(name, period.startTime, period.endTime)
  const recorded =
    period === undefined ? [] : await site.index.within(name, period.startTime, period.endTime, 1_000_000)
  const runs = (await site.index.runsOf(name, recorded)).length
  const seconds = ranges.reduce((sum, each) => sum + (each.to - each.from) / 1000, 0)
  gaps += ranges.length === 0 ? 1 : ranges.length - 1
  process.stdout.write(`${name}: ${seconds.toFixed(1)} s recorded in ${ranges.length} piece(s), ${runs} run(s)\n`)
}
await app.close()
camera.close()
rtsp.kill()
rmSync(dataDir, { recursive: true, force: true })
process.stdout.write(`${minutes} minutes, ${gaps} gaps\n`)
process.exitCode = gaps === 0 ? 0 : 1
