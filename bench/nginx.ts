import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get, type OutgoingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import * as z from 'zod/mini'
import { fillChunks } from '../scripts/fill-chunks.ts'
import { freePort } from '../scripts/free-port.ts'
import { minuteMs } from '../server/durations.ts'
import { chunkFile, streamFolder } from '../server/storage/folders.ts'
import { openDatabase } from '../server/store/sqlite.ts'
import type { Figure } from './figures.ts'
import { repeatableRandom } from './harness.ts'
import { processTree, usedBy } from './processes.ts'
import { openCallSession, signIn, startServer } from './server.ts'

const chunks = 8
const segmentMs = 2000
const headBytes = 1000
/** Of a camera of 1 and of 4 Mbit/s. */
const sizes = [250_000, 1_000_000]
const pairs = 7
const connections = 8
const bytesEach = 1.6e9

type Media = { path: string; headers: OutgoingHttpHeaders }
/** `media`: the request of a segment by its number. */
type Rival = { pid: number; address: string; media: (index: number) => Media }

const Created = z.object({ uid: z.string() })
const Recording = z.object({ id: z.number() })

const addStream = async (dataDir: string): Promise<string> => {
  const server = await startServer(true, { hasDemo: false, dataDir })
  try {
    const ask = await openCallSession(server)
    const body = { name: 'Gate', streamSource: 'rtsp://192.0.2.1/x', archive: { isEnable: true } }
    const { uid } = z.parse(Created, await (await ask('POST', '/v1/stream', body)).json())
    await ask('POST', `/v1/stream/pause/${uid}`)
    return uid
  } finally {
    await server.stop()
  }
}

const fill = (dataDir: string, uid: string, from: number, bytes: number): void => {
  const db = openDatabase(join(dataDir, 'sightline.db'))
  const recording = z.parse(Recording, db.prepare('SELECT id FROM recordings WHERE uid = ?').get(uid)).id
  const added = db
    .prepare(
      `INSERT INTO runs (recording, init, codecs, width, height, has_sound, first) VALUES (?, x'00', 'avc1', 1, 1, 0, ?)`,
    )
    .run(recording, from)
  const each = minuteMs / segmentMs
  fillChunks(db, { recording, run: Number(added.lastInsertRowid), from, segments: chunks * each, segmentMs, bytes })
  db.close()
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    const path = join(streamFolder(dataDir, uid), chunkFile(from + chunk * minuteMs))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, randomBytes(headBytes + each * bytes))
  }
}

/** Reads an answer; returns its bytes in number. */
const read = (agent: Agent, address: string, { path, headers }: Media): Promise<number> =>
  new Promise((done, fail) => {
    get(`${address}${path}`, { agent, headers }, (response) => {
      let bytes = 0
      response.on('data', (piece: Buffer) => {
        bytes += piece.length
      })
      response.on('end', () => {
        if (response.statusCode === 200 || response.statusCode === 206) done(bytes)
        else fail(new Error(`${address}${path} answered ${response.statusCode}`))
      })
      response.on('error', fail)
    }).on('error', fail)
  })

/** One worker with sendfile, as Debian sets it up, without a log of requests. */
const startNginx = async (root: string): Promise<{ nginx: ChildProcess; address: string; remove: () => void }> => {
  if (spawnSync('nginx', ['-v']).error !== undefined)
    throw new Error('nginx is missing: apt-get install -y --no-install-recommends nginx-light')
  const folder = mkdtempSync(join(tmpdir(), 'sightline-nginx-'))
  const port = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr crit;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 64; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; default_type video/mp4;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  server { listen 127.0.0.1:${port}; root ${root}; }
}
`,
  )
  const nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const address = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 100; tries += 1) {
    const isUp = await fetch(address).then(
      () => true,
      () => false,
    )
    if (isUp) break
    if (nginx.exitCode !== null) throw new Error(`nginx ended with code ${nginx.exitCode}`)
    await after(50)
  }
  return { nginx, address, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Bytes per second of processor time, while some connections read segments in a random order. */
const rateOf = async ({ pid, address, media }: Rival, bytes: number, seed: number): Promise<number> => {
  const random = repeatableRandom(seed)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const segments = chunks * (minuteMs / segmentMs)
  let [left, total] = [Math.ceil(bytesEach / bytes), 0]
  const seconds = () => usedBy(processTree(pid)).processorSeconds
  const began = seconds()
  const readSome = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const got = await read(agent, address, media(Math.floor(random() * segments)))
      total += got
    }
  }
  await Promise.all(Array.from({ length: connections }, readSome))
  agent.destroy()
  return total / (seconds() - began)
}

const measure = async (bytes: number): Promise<Figure[]> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sightline-bench-'))
  const from = Math.floor((Date.now() - 3 * 60 * minuteMs) / minuteMs) * minuteMs
  const each = minuteMs / segmentMs
  try {
    const uid = await addStream(dataDir)
    fill(dataDir, uid, from, bytes)
    const { nginx, address, remove } = await startNginx(streamFolder(dataDir, uid))
    try {
      const server = await startServer(true, { hasDemo: false, dataDir })
      try {
        const cookie = await signIn(server)
        const ours: Rival = {
          pid: server.pid ?? 0,
          address: server.address,
          media: (index) => ({
            path: `/v1/stream/${uid}/archive/recorded/${from + index * segmentMs}.m4s`,
            headers: { cookie },
          }),
        }
        const theirs: Rival = {
          pid: nginx.pid ?? 0,
          address,
          media: (index) => {
            const offset = headBytes + (index % each) * bytes
            return {
              path: `/${chunkFile(from + Math.floor(index / each) * minuteMs)}`,
              headers: { range: `bytes=${offset}-${offset + bytes - 1}` },
            }
          },
        }
        const rates = { ours: new Array<number>(), theirs: new Array<number>() }
        // The first pair only warms up.
        for (let pair = 0; pair <= pairs; pair += 1) {
          const found = { ours: await rateOf(ours, bytes, pair), theirs: await rateOf(theirs, bytes, pair) }
          if (pair === 0) continue
          rates.ours.push(found.ours)
          rates.theirs.push(found.theirs)
        }
        const ratios = rates.ours.map((rate, pair) => rate / (rates.theirs[pair] ?? Number.NaN))
        const megabytes = (values: readonly number[]) => values.map((value) => value / 1e6)
        const size = `segments of ${bytes / 1000} kB`
        return [
          { name: `Sightline, ${size}`, unit: 'MB a second a core', values: megabytes(rates.ours), goal: {} },
          { name: `nginx, ${size}`, unit: 'MB a second a core', values: megabytes(rates.theirs), goal: {} },
          { name: `ratio, ${size}`, unit: '%', values: ratios.map((ratio) => ratio * 100), goal: { least: 50 } },
        ]
      } finally {
        await server.stop()
      }
    } finally {
      nginx.kill('SIGTERM')
      if (nginx.exitCode === null) await once(nginx, 'exit')
      remove()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** `nginx`: what a core of the server sends of the archive, and what one of nginx sends of the same files. */
export async function nginx(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const bytes of sizes) figures.push(...(await measure(bytes)))
  return figures
}
