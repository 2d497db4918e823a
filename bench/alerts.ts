import { type ChildProcess, spawn } from 'node:child_process'
import { createECDH, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { makeCertificate } from '../scripts/certificate.ts'
import { startMailServer } from '../tests/server/fixtures/mail-server.ts'
import type { Figure } from './figures.ts'
import { type Call, openCallSession, startServer } from './server.ts'

const deaths = 3
const patienceMs = 120_000
/** The goal: a message within a minute. */
const goal = { worst: 60, lost: 0 }

const picture =
  '-nostdin -v error -re -f lavfi -i testsrc2=s=320x180:r=25 -c:v libx264 -preset ultrafast -tune zerolatency -g 25 ' +
  '-pix_fmt yuv420p -f mpegts pipe:1'

/** Returns the port. */
const listen = async (server: Server, port = 0): Promise<number> => {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return address === null || typeof address === 'string' ? 0 : address.port
}

/** A camera over HTTP that can lose its power (its connections are reset) or its cable (no packets any more). */
const startCamera = async () => {
  const running = new Set<ChildProcess>()
  let isSilent = false
  const server = createServer((_request, response) => {
    if (isSilent) return
    const ffmpeg = spawn('ffmpeg', picture.split(' '), { stdio: ['ignore', 'pipe', 'ignore'] })
    running.add(ffmpeg)
    response.writeHead(200, { 'content-type': 'video/mp2t' })
    ffmpeg.stdout.on('data', (chunk: Buffer) => void (isSilent || response.write(chunk)))
    response.on('close', () => {
      running.delete(ffmpeg)
      ffmpeg.kill('SIGKILL')
    })
  })
  const port = await listen(server)
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return {
    address: `http://127.0.0.1:${port}/`,
    ways: {
      'that loses its power': { die: stop, revive: () => listen(server, port) },
      'that says nothing any more': {
        die: () => {
          isSilent = true
        },
        revive: () => {
          isSilent = false
          server.closeAllConnections()
        },
      },
    },
    stop,
  }
}

/** Answers calls; `next` resolves with the time of the next one, in epoch milliseconds. */
const createReceiver = (status: number) => {
  const waiting: ((at: number) => void)[] = []
  const listener: RequestListener = (request, response) => {
    request.resume()
    response.writeHead(status).end()
    waiting.shift()?.(Date.now())
  }
  return { listener, next: () => new Promise<number>((resolve) => waiting.push(resolve)) }
}

const startWebhook = async () => {
  const { listener, next } = createReceiver(204)
  const server = createServer(listener)
  return { address: `http://127.0.0.1:${await listen(server)}/`, next, stop: () => server.close() }
}

/** A push service with a subscription. `trusted`: the file of its certificate, for NODE_EXTRA_CA_CERTS. */
const startPushService = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-tls-'))
  const { cert, key } = makeCertificate(folder)
  const { listener, next } = createReceiver(201)
  const server = createSecureServer({ cert: readFileSync(cert), key: readFileSync(key) }, listener)
  const browser = createECDH('prime256v1')
  browser.generateKeys()
  const keys = { p256dh: browser.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
  return {
    address: JSON.stringify({ endpoint: `https://localhost:${await listen(server)}/send`, keys }),
    trusted: cert,
    next,
    stop: () => {
      server.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const within = (arrival: Promise<number>): Promise<number> =>
  Promise.race([arrival, after(patienceMs, Number.NaN, { ref: false })])

const untilRunning = async (call: Call, uid: string): Promise<void> => {
  for (const end = Date.now() + patienceMs; Date.now() < end; await after(250)) {
    const { status } = await (await call('GET', `/v1/stream/${uid}`)).json()
    if (status === 'running') return
  }
  throw new Error('the camera does not run')
}

const kinds = ['mail', 'webhook', 'push'] as const
type Kind = (typeof kinds)[number]
const noDelays = (): Record<Kind, number[]> => ({ mail: [], webhook: [], push: [] })

/**
 * `alerts`: seconds from the loss of a camera, and from its return, to the mail, the call of a webhook and the message
 * at a push service.
 */
export async function alerts(): Promise<Figure[]> {
  const [mailServer, webhook, push] = [await startMailServer(), await startWebhook(), await startPushService()]
  const camera = await startCamera()
  const env = {
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    ALLOW_LOOPBACK_SOURCES: '1',
    NODE_EXTRA_CA_CERTS: push.trusted,
  }
  const server = await startServer(true, { hasDemo: false, env })
  const next: Record<Kind, () => Promise<number>> = {
    mail: () => mailServer.next().then(() => Date.now()),
    webhook: webhook.next,
    push: push.next,
  }
  try {
    const call = await openCallSession(server)
    const stream = await call('POST', '/v1/stream', { name: 'Door', streamSource: camera.address })
    const { uid } = await stream.json()
    await call('POST', '/v1/alerts', {
      name: 'Night',
      on: ['stream.failed', 'stream.recovered'],
      to: [
        { kind: 'mail', address: 'guard@example.org' },
        { kind: 'webhook', address: webhook.address },
        { kind: 'push', address: push.address },
      ],
    })
    const figures: Figure[] = []
    const ofReturn = noDelays()
    for (const [way, { die, revive }] of Object.entries(camera.ways)) {
      const ofDeath = noDelays()
      for (let death = 0; death < deaths; death += 1) {
        await untilRunning(call, uid)
        for (const [change, delays] of [
          [die, ofDeath],
          [revive, ofReturn],
        ] as const) {
          const arrivals = kinds.map((kind) => ({ kind, arrival: next[kind]() }))
          const at = Date.now()
          await change()
          for (const { kind, arrival } of arrivals) delays[kind].push(((await within(arrival)) - at) / 1000)
        }
      }
      for (const kind of kinds)
        figures.push({ name: `from a camera ${way} to the ${kind}`, values: ofDeath[kind], unit: 's', goal })
    }
    for (const kind of kinds)
      figures.push({ name: `from a camera that is back to the ${kind}`, values: ofReturn[kind], unit: 's', goal })
    return figures
  } finally {
    await server.stop()
    camera.stop()
    webhook.stop()
    push.stop()
    await mailServer.close()
  }
}
