import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { makeCertificate } from '../scripts/certificate.ts'
import type { Figure } from './figures.ts'
import { startCamera } from './faults/camera.ts'
import { openLive, withPage, type Bench, type Measure } from './harness.ts'
import { openCallSession, openReadSession, startServer, waitForDemo } from './server.ts'
import type { Reading } from './strip.ts'

const settleMs = 15_000
const readingMs = 500
const shortSeconds = 30
const farCameras = [
  ...[1, 4, 10, 23].map((keyframeSeconds) => ({ keyframeSeconds, fps: 25, goal: 3 })),
  // Four pictures behind, and two until one is complete.
  { keyframeSeconds: 10, fps: 1, goal: 6 },
]

/**
 * The live latency on loopback: the age of the frame on the screen by its strip, or, of a camera without one, by the
 * time that the player shows; and the number of stalls.
 */
async function agesOf(
  bench: Pick<Bench, 'page' | 'stream'>,
  name: string,
  goal: number,
  { by = 'frame', seconds = shortSeconds }: { by?: keyof Reading; seconds?: number } = {},
): Promise<Figure[]> {
  const { page } = bench
  await openLive(bench)
  await page.waitForTimeout(settleMs)
  const stalls = await page.evaluateHandle(() => {
    const seen = { count: 0 }
    document.querySelector('video')?.addEventListener('waiting', () => (seen.count += 1))
    return seen
  })
  const ages: number[] = []
  for (let reading = 0; reading < (seconds * 1000) / readingMs; reading += 1) {
    ages.push(await page.evaluate((each) => (Date.now() - (globalThis.bench.read()?.[each] ?? Number.NaN)) / 1000, by))
    await page.waitForTimeout(readingMs)
  }
  return [
    { name, unit: 's', values: ages, goal: { median: goal, lost: 0 } },
    {
      name: `${name}: stalls in ${seconds < 60 ? `${seconds} s` : `${seconds / 60} min`}`,
      unit: '',
      values: [await stalls.evaluate(({ count }) => count)],
      goal: { worst: 0 },
    },
  ]
}

/** Measurements take that many minutes, or half of one. */
const secondsOf = (minutes: number): number => (minutes > 1 ? minutes * 60 : shortSeconds)

export const latency: Measure = (bench) => agesOf(bench, 'Live latency', 2, { seconds: secondsOf(bench.minutes) })

/** The same of cameras whose keyframes are far apart, each for as long. */
export async function farKeyframes(isBuilt: boolean, minutes: number): Promise<Figure[]> {
  const server = await startServer(isBuilt, { hasDemo: false, env: { ALLOW_LOOPBACK_SOURCES: '1' } })
  const seconds = secondsOf(minutes)
  const figures: Figure[] = []
  try {
    const ask = await openCallSession(server)
    for (const { keyframeSeconds, fps, goal } of farCameras) {
      const camera = await startCamera({ keyframeSeconds, fps })
      const stream = `Keyframes ${keyframeSeconds} s apart${fps === 1 ? ', a picture a second' : ''}`
      await ask('POST', '/v1/stream', { name: stream, streamSource: camera.url })
      await after(settleMs + keyframeSeconds * 2000)
      figures.push(
        ...(await withPage(server, (page) =>
          agesOf({ page, stream }, `Live latency, ${stream.toLowerCase()}`, goal, { by: 'shown', seconds }),
        )),
      )
      camera.close()
    }
    return figures
  } finally {
    await server.stop()
  }
}

/** The same with low latency, on an HTTPS server. */
export async function lowLatency(isBuilt: boolean, stream: string, minutes: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-tls-'))
  const { cert, key } = makeCertificate(folder)
  setDefaultCACertificates([...getCACertificates(), readFileSync(cert, 'utf8')])
  const server = await startServer(isBuilt, { env: { TLS_CERT: cert, TLS_KEY: key } })
  try {
    await waitForDemo(await openReadSession(server), stream)
    const name = 'Live latency, in parts over HTTPS'
    return await withPage(server, (page) => agesOf({ page, stream }, name, 1, { seconds: secondsOf(minutes) }), {
      args: ['--ignore-certificate-errors'],
    })
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
