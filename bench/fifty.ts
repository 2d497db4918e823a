import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as after } from 'node:timers/promises'
import { processTree, usedBy } from './processes.ts'
import { openCallSession, startServer } from './server.ts'

/**
 * Records many cameras by copy and prints what is missing: `node bench/fifty.ts [minutes] [cameras]`. One ffmpeg loops
 * one file in real time for all cameras, as MPEG-TS over HTTP, so that only the server's work is measured.
 */
const minutes = Number(process.argv[2] ?? 4)
const cameras = Number(process.argv[3] ?? 50)
const folder = mkdtempSync(join(tmpdir(), 'sightline-fifty-'))
const file = join(folder, 'camera.ts')

const picture = '-f lavfi -i testsrc2=s=640x360:r=25:d=240'
const sound = '-f lavfi -i sine=sample_rate=48000:duration=240'
const encoding =
  '-c:v libx264 -preset ultrafast -tune zerolatency -g 50 -keyint_min 50 -sc_threshold 0 -b:v 1M -pix_fmt yuv420p'
spawnSync('ffmpeg', [...`-nostdin -v error ${picture} ${sound} ${encoding} -c:a aac -f mpegts`.split(' '), file])

const packetBytes = 188
const watchers = new Set<ServerResponse>()
/** When each keyframe was sent, in epoch milliseconds. */
const keyframes: number[] = []

/** Whether a packet starts a keyframe (ISO 13818-1: random_access_indicator and payload_unit_start_indicator). */
const beginsPicture = (packet: Buffer): boolean => {
  const [, second = 0, third = 0, fourth = 0, length = 0, flags = 0] = packet
  const isVideo = (((second & 0x1f) << 8) | third) === 0x100
  return isVideo && (second & 0x40) !== 0 && (fourth & 0x20) !== 0 && length > 0 && (flags & 0x40) !== 0
}

const [input, output] = ['-nostdin -v error -re -stream_loop -1 -i', '-c copy -muxdelay 0 -f mpegts pipe:1']
const looped = spawn('ffmpeg', [...input.split(' '), file, ...output.split(' ')], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
let rest = Buffer.alloc(0)
looped.stdout.on('data', (chunk: Buffer) => {
  const bytes = Buffer.concat([rest, chunk])
  const whole = bytes.length - (bytes.length % packetBytes)
  rest = bytes.subarray(whole)
  for (let position = 0; position < whole; position += packetBytes) {
    if (beginsPicture(bytes.subarray(position, position + packetBytes))) keyframes.push(Date.now())
  }
  for (const watcher of watchers) watcher.write(bytes.subarray(0, whole))
})
const source = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'video/mp2t' })
  watchers.add(response)
  response.on('close', () => watchers.delete(response))
})
source.listen(0, '127.0.0.1')
await once(source, 'listening')
const bound = source.address()
const sourcePort = bound === null || typeof bound === 'string' ? 0 : bound.port

const server = await startServer(true, { hasDemo: false, env: { ALLOW_LOOPBACK_SOURCES: '1' } })
const ask = await openCallSession(server)
const processors = () => {
  const [own, ...ffmpegs] = server.pid === null ? [] : processTree(server.pid)
  return { node: usedBy(own === undefined ? [] : [own]).processorSeconds, ffmpeg: usedBy(ffmpegs).processorSeconds }
}

const uids: string[] = []
for (let camera = 0; camera < cameras; camera += 1) {
  const reply: unknown = await (
    await ask('POST', '/v1/stream', {
      name: `Camera ${camera + 1}`,
      streamSource: `http://127.0.0.1:${sourcePort}/${camera}.ts`,
      archive: { isEnable: true, depthHours: -1 },
    })
  ).json()
  uids.push(String(Reflect.get(Object(reply), 'uid')))
}
const running = async (): Promise<number> => {
  const { streams } = Object(await (await ask('GET', '/v1/system/stats')).json())
  return Number(streams.running)
}
const asked = Date.now()
while ((await running()) < cameras && Date.now() - asked < 180_000) await after(1000)
const startedAfter = (Date.now() - asked) / 1000
await after(10_000)
const from = Date.now()
const before = processors()
await after(minutes * 60_000)
const until = Date.now()
const now = processors()
const load = loadavg()[0] ?? 0

let [gaps, cuts, missing] = [0, 0, 0]
const dateErrorsMs: number[] = []
for (const uid of uids) {
  const period = `start_time=${new Date(from).toISOString()}&end_time=${new Date(until - 10_000).toISOString()}`
  const text = await (await ask('GET', `/v1/stream/${uid}/archive/recorded.m3u8?${period}`)).text().catch(() => '')
  const lengths = [...text.matchAll(/#EXTINF:([\d.]+)/g)].map(([, seconds]) => Number(seconds))
  const starts = [...text.matchAll(/DATE-TIME:(\S+)/g)].map(([, date = '']) => Date.parse(date))
  cuts += text.split('#EXT-X-DISCONTINUITY\n').length - 1
  for (const [index, start] of starts.entries()) {
    const end = index === 0 ? from : (starts[index - 1] ?? start) + (lengths[index - 1] ?? 0) * 1000
    if (start - end > 500) {
      gaps += 1
      missing += (start - end) / 1000
    }
    dateErrorsMs.push(Math.min(...keyframes.map((sent) => Math.abs(sent - start))))
  }
  if (starts.length === 0) gaps += 1
}
dateErrorsMs.sort((a, b) => a - b)
const at = (part: number) => dateErrorsMs[Math.ceil(dateErrorsMs.length * part) - 1] ?? Number.NaN
const share = (seconds: number) => `${((seconds * 100_000) / (until - from)).toFixed(1)} % of a core`
process.stdout
  .write(`${cameras} cameras, ${minutes} minutes, at a load of ${load.toFixed(1)}: ${gaps} gaps (${missing.toFixed(1)} s), ${cuts} cuts, ${dateErrorsMs.length} segments; all ran after ${startedAfter.toFixed(0)} s
the server ${share(now.node - before.node)}, its ffmpegs ${share(now.ffmpeg - before.ffmpeg)}
dates from the keyframe's leaving: median ${at(0.5)} ms, p95 ${at(0.95)} ms, worst ${at(1)} ms
`)

await server.stop()
looped.kill('SIGKILL')
source.closeAllConnections()
source.close()
rmSync(folder, { recursive: true, force: true })
process.exitCode = gaps === 0 ? 0 : 1
