import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
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

/** A webhook receiver; `next` resolves with the time of the next call, in epoch milliseconds. */
const startReceiver = async () => {
  const waiting: ((at: number) => void)[] = []
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(204).end()
    waiting.shift()?.(Date.now())
  })
  return {
    address: `http://127.0.0.1:${await listen(server)}/`,
    next: () => new Promise<number>((resolve) => waiting.push(resolve)),
    stop: () => server.close(),
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

/** `alerts`: seconds from the loss of a camera, and from its return, to the mail and the call of a webhook. */
export async function alerts(): Promise<Figure[]> {
  const [mailServer, receiver, camera] = [await startMailServer(), await startReceiver(), await startCamera()]
  const env = { SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`, ALLOW_LOOPBACK_SOURCES: '1' }
  const server = await startServer(true, { hasDemo: false, env })
  try {
    const call = await openCallSession(server)
    const stream = await call('POST', '/v1/stream', { name: 'Door', streamSource: camera.address })
    const { uid } = await stream.json()
    await call('POST', '/v1/alerts', {
      name: 'Night',
      on: ['stream.failed', 'stream.recovered'],
      to: [
        { kind: 'mail', address: 'guard@example.org' },
        { kind: 'webhook', address: receiver.address },
      ],
    })
    const figures: Figure[] = []
    const ofReturn: Record<string, number[]> = { mail: [], webhook: [] }
    for (const [way, { die, revive }] of Object.entries(camera.ways)) {
      const ofDeath: Record<string, number[]> = { mail: [], webhook: [] }
      for (let death = 0; death < deaths; death += 1) {
        await untilRunning(call, uid)
        for (const [change, delays] of [
          [die, ofDeath],
          [revive, ofReturn],
        ] as const) {
          const arrivals = { mail: mailServer.next().then(() => Date.now()), webhook: receiver.next() }
          const at = Date.now()
          await change()
          for (const [kind, arrival] of Object.entries(arrivals))
            delays[kind]?.push(((await within(arrival)) - at) / 1000)
        }
      }
      for (const [kind, values] of Object.entries(ofDeath))
        figures.push({ name: `from a camera ${way} to the ${kind}`, values, unit: 's', goal })
    }
    for (const [kind, values] of Object.entries(ofReturn))
      figures.push({ name: `from a camera that is back to the ${kind}`, values, unit: 's', goal })
    return figures
  } finally {
    await server.stop()
    camera.stop()
    receiver.stop()
    await mailServer.close()
  }
}
