import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { setTimeout as after } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { freePort } from './free-port.ts'
import { callsOf, fillSite, lookAround, recordedSeconds } from './release/site.ts'

/**
 * Writes `tests/fixtures/releases/NAME.json.gz`: the data folder of a small site, made by the server of a release, and
 * what that server answered. `--root`: a checkout of the release, with its packages.
 */
const { values } = parseArgs({ options: { name: { type: 'string' }, root: { type: 'string' } } })
const { name, root } = values
if (name === undefined || root === undefined) throw new Error('release-fixture takes --name NAME and --root DIR')

/** The last segment is in the index by then. */
const sealingMs = 3000

/** A camera of 64×64, as small as it gets. */
const camera = createServer((_request, response) => {
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=5']
  const video = ['-c:v', 'libx264', '-g', '10', '-bf', '0', '-crf', '40', '-pix_fmt', 'yuv420p', '-f', 'mpegts', '-']
  const child = spawn('ffmpeg', ['-v', 'error', '-re', ...picture, ...video], { stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.pipe(response.setHeader('content-type', 'video/mp2t'))
  response.on('close', () => child.kill('SIGKILL'))
}).listen(0, '127.0.0.1')
await once(camera, 'listening')
const address = camera.address()
const cameraUrl = `http://127.0.0.1:${address === null || typeof address === 'string' ? 0 : address.port}/door.ts`

const dataDir = mkdtempSync(join(tmpdir(), 'sightline-release-'))
const port = await freePort()
const server = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'server/main.ts', '--no-demo'], {
  cwd: resolve(root),
  env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, ALLOW_LOOPBACK_SOURCES: '1' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const ended = once(server, 'exit')
try {
  await Promise.race([once(server.stdout, 'data'), ended.then(() => Promise.reject(new Error('The server ended')))])
  const call = callsOf(`http://127.0.0.1:${port}`)
  const site = await fillSite(call, cameraUrl)
  while ((await recordedSeconds(call, site)) < 6) await after(500)
  // A server that starts with the fixture asks no camera.
  await call(`/v1/stream/pause/${site.uid}`, { method: 'POST', cookie: site.cookie })
  await after(sealingMs)
  const known = await lookAround(call, site)
  server.kill('SIGTERM')
  await ended
  const names = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dataDir.length + 1))
    .toSorted()
  const files = Object.fromEntries(names.map((file) => [file, readFileSync(join(dataDir, file)).toString('base64')]))
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%h %cI'], { cwd: root, encoding: 'utf8' })
  const [commit = '', committed = ''] = stdout.trim().split(' ')
  const date = new Date(committed).toISOString()
  const folder = join(import.meta.dirname, '../tests/fixtures/releases')
  mkdirSync(folder, { recursive: true })
  const packed = gzipSync(JSON.stringify({ name, commit, date, known, files }), { level: 9 })
  writeFileSync(join(folder, `${name}.json.gz`), packed)
  process.stdout.write(`${name}: ${names.length} files, ${packed.length} bytes\n${JSON.stringify(known, null, 2)}\n`)
} finally {
  server.kill('SIGKILL')
  camera.close()
  camera.closeAllConnections()
  rmSync(dataDir, { recursive: true, force: true })
}
