import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'
import type { ServerOptions } from '../../server/app.ts'
import { createStreamsPlugin, type StreamsOptions } from '../../server/streams/plugin.ts'
import type { Site } from '../../server/streams/site.ts'
import { startServer, type Harness } from './harness.ts'

export type VideoHarness = Harness & { site: Site; admin: string }

/**
 * A server with the plugin of streams on the real clock and a signed-in administrator; sources on this machine are
 * allowed.
 */
export const startVideo = async (
  options: Partial<ServerOptions> &
    Pick<StreamsOptions, 'allowLoopback' | 'ingest' | 'mqtt'> & { addsAdmin?: boolean; signsIn?: boolean } = {},
): Promise<VideoHarness> => {
  const { allowLoopback = true, addsAdmin = true, signsIn = true, plugins = [], ingest, mqtt, ...rest } = options
  const found: Site[] = []
  const starting: Promise<void>[] = []
  const onStart = (started: Promise<void>) => void starting.push(started)
  const harness = await startServer({
    now: Date.now,
    ...rest,
    plugins: [
      ...plugins,
      createStreamsPlugin({
        allowLoopback,
        onSite: (site) => found.push(site),
        onStart,
        ...(ingest === undefined ? {} : { ingest }),
        ...(mqtt === undefined ? {} : { mqtt }),
      }),
    ],
  })
  const [site] = found
  if (site === undefined) throw new Error('no site')
  // With demo cameras, starting includes drawing their archive: not awaited.
  if (rest.settings?.demo !== true) await Promise.all(starting)
  if (addsAdmin) await harness.addUser('admin', true)
  return { ...harness, site, admin: signsIn ? await harness.signIn('admin') : '' }
}

/** Resolves when `count` more segments of a stream were recorded. */
export const segments = (site: Site, uid: string, count: number): Promise<void> =>
  new Promise((resolve) => {
    let left = count
    const listener: Site['segmentListeners'][number] = (of) => {
      if (of !== uid) return
      left -= 1
      if (left > 0) return
      site.segmentListeners.splice(site.segmentListeners.indexOf(listener), 1)
      resolve()
    }
    site.segmentListeners.push(listener)
  })

/** Resolves when a line of the stream's log matches, from the past or the future. */
export const logged = (site: Site, uid: string, pattern: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    const { write } = site.logs
    site.logs.write = (of, level, message) => {
      write(of, level, message)
      if (of === uid && pattern.test(message)) resolve(message)
    }
    const look = async () => {
      const known = (await site.logs.read(uid, undefined)).find((line) => pattern.test(line.message))
      if (known !== undefined) resolve(known.message)
    }
    look().catch(reject)
  })

const portOf = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** An HTTP server on this machine for the duration of a test, by HTTPS if it gets a certificate. */
export const serve = async (listener: RequestListener, tls?: TlsOptions): Promise<string> => {
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  const port = await portOf(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`
}

/** Arguments for ffmpeg to play a camera in real time. */
export const cameraArguments = (
  options: { sound?: boolean; size?: string; codec?: readonly string[] } = {},
): string[] => [
  '-nostdin',
  '-v',
  'error',
  '-re',
  '-f',
  'lavfi',
  '-i',
  `testsrc2=s=${options.size ?? '320x180'}:r=25`,
  ...(options.sound === false
    ? []
    : ['-re', '-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000', '-c:a', 'aac', '-b:a', '64k']),
  ...(options.codec ?? [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-tune',
    'zerolatency',
    '-g',
    '25',
    '-pix_fmt',
    'yuv420p',
  ]),
]

/** A camera over HTTP: every request starts an ffmpeg that sends until the client leaves. */
export const camera =
  (args: readonly string[], type = 'video/mp2t'): RequestListener =>
  (_request, response) => {
    const ffmpeg = spawn('ffmpeg', args, { stdio: ['ignore', 'pipe', 'ignore'] })
    response.writeHead(200, { 'content-type': type })
    ffmpeg.stdout.pipe(response)
    response.on('close', () => ffmpeg.kill('SIGKILL'))
  }

export const tsCamera = (options: Parameters<typeof cameraArguments>[0] = {}): RequestListener =>
  camera([...cameraArguments(options), '-f', 'mpegts', 'pipe:1'])

/** Answers every request with the same two seconds of MPEG-TS: a source that is quickly probed. */
export const still = (): RequestListener => {
  const { stdout } = spawnSync('ffmpeg', [
    ...cameraArguments({ sound: false }).filter((word) => word !== '-re'),
    '-t',
    '2',
    '-f',
    'mpegts',
    'pipe:1',
  ])
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp2t' })
    response.end(stdout)
  }
}

/** The report of ffprobe about a file. */
export const probed = (
  bytes: Buffer,
): { width: number; height: number; packets: number; duration: number; codecs: string[] } => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-test-'))
  const file = join(folder, 'probed.mp4')
  writeFileSync(file, bytes)
  const { stdout } = spawnSync('ffprobe', [
    '-v',
    'error',
    '-count_packets',
    '-of',
    'json',
    '-show_streams',
    '-show_format',
    '-i',
    file,
  ])
  rmSync(folder, { recursive: true })
  const report = JSON.parse(stdout.toString())
  const [video] = report.streams
  return {
    width: video.width,
    height: video.height,
    packets: Number(video.nb_read_packets),
    duration: Number(report.format.duration),
    codecs: report.streams.map((stream: { codec_name: string }) => stream.codec_name),
  }
}

/** The width of each frame of an MP4. */
export const widthsOf = (bytes: Buffer): number[] =>
  spawnSync('ffprobe', ['-v', 'error', '-show_entries', 'frame=width', '-of', 'csv=p=0', '-i', 'pipe:0'], {
    input: bytes,
    maxBuffer: 1e8,
  })
    .stdout.toString()
    .split('\n')
    .map((line) => Number.parseInt(line, 10))
    .filter((width) => width > 0)

/** Decodes every frame of an MP4; returns the errors of ffmpeg, '' without any. */
export const decoded = (bytes: Buffer): string =>
  spawnSync('ffmpeg', ['-nostdin', '-v', 'error', '-i', 'pipe:0', '-f', 'null', '-'], { input: bytes, maxBuffer: 1e8 })
    .stderr.toString()
    .slice(0, 500)

/** The kinds of slices in an MP4. */
export const sliceTypes = (bytes: Buffer): string[] => {
  const args = ['-nostdin', '-v', 'verbose', '-i', 'pipe:0', '-map', 'v', '-c', 'copy', '-bsf:v', 'trace_headers']
  const { stderr } = spawnSync('ffmpeg', [...args, '-f', 'null', '-'], { input: bytes, maxBuffer: 1e9 })
  const fields = stderr.toString().matchAll(/ (nal_unit_type|slice_type) .* = (\d+)$/gm)
  const found = new Set<string>()
  let unit = ''
  for (const [, field, value = ''] of fields) {
    if (field === 'nal_unit_type') unit = value
    else found.add(`${value === '2' ? 'intra' : 'predicted'}${unit === '5' ? ' of a keyframe' : ''}`)
  }
  return [...found].toSorted()
}

/** The times in the strips of an MP4's frames, in 1/25 s modulo 2^32. */
export const strips = (bytes: Buffer): number[] => {
  const { stdout } = spawnSync(
    'ffmpeg',
    [
      '-nostdin',
      '-v',
      'error',
      '-i',
      'pipe:0',
      '-vsync',
      'passthrough',
      '-vf',
      'format=gray,crop=640:1:0:8',
      '-f',
      'rawvideo',
      'pipe:1',
    ],
    { input: bytes, maxBuffer: 1e9 },
  )
  return Array.from({ length: stdout.length / 640 }, (_, frame) =>
    Array.from({ length: 32 }, (__, cell) => Number((stdout[frame * 640 + cell * 20 + 10] ?? 0) > 127)).reduce(
      (value, bit) => value * 2 + bit,
      0,
    ),
  )
}
