import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as after } from 'node:timers/promises'
import { openInput, type Input } from '../../../server/media/input.ts'
import { findInPath } from '../../../server/media/programs.ts'
import type { NetworkSource } from '../../../server/media/source.ts'
import type { Dice } from '../values.ts'
import type { Farm } from './farm.ts'
import { createRtspReader } from './reader.ts'
import { leadingAway } from './world.ts'

/** A gateway must close ffmpeg's connection within this time after the camera has closed. */
const patienceMs = 5000
const maxAnswer = 300_000
const maxFollowed = 3

const sourceOf = (farm: Farm, scheme: 'http' | 'rtsp', index: number, username: string): NetworkSource => ({
  kind: 'network',
  scheme,
  host: '127.0.0.1',
  port: farm.port,
  path: `/${index}/live`,
  username,
  password: username,
})

const programs = ['ffmpeg', 'ffprobe'] as const

/**
 * Runs `work`, which must open the first gateway of this process, with only ffmpeg in PATH: the server then uses no
 * network namespace, and the fuzzer can reach the gateway as ffmpeg would.
 */
export const besideGateways = async <T>(work: () => Promise<T>): Promise<T> => {
  const path = process.env['PATH'] ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'sightline-fuzz-'))
  for (const program of programs) {
    const file = findInPath(program)
    if (file !== undefined) symlinkSync(file, join(folder, program))
  }
  process.env['PATH'] = folder
  try {
    return await work()
  } finally {
    process.env['PATH'] = path
    rmSync(folder, { recursive: true })
  }
}

const reach = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      socket.on('error', () => undefined)
      resolve(socket)
    })
  })

type GatewayAnswer = { bytes: Buffer; isLeftOpen: boolean }

/** Sends a request to the gateway and reads its answer; closes after `leavesAfter` bytes, as ffmpeg may. */
const askThrough = async (port: number, request: string, leavesAfter = maxAnswer): Promise<GatewayAnswer> => {
  const socket = await reach(port)
  const chunks: Buffer[] = []
  let bytes = 0
  socket.write(request)
  const closed = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(true), patienceMs)
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > leavesAfter) socket.destroy()
    })
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(false)
    })
  })
  const isLeftOpen = await closed
  socket.destroy()
  return { bytes: Buffer.concat(chunks), isLeftOpen }
}

const requestFor = (address: string): string =>
  `GET ${address} HTTP/1.1\r\nUser-Agent: Lavf/59\r\nAccept: */*\r\nRange: bytes=0-\r\nConnection: close\r\n` +
  `Host: x\r\nIcy-MetaData: 1\r\n\r\n`

/** What ffmpeg would request next: the target of a redirect, or the URLs of a playlist. */
const leadsOf = (bytes: Buffer, address: string): string[] => {
  const text = bytes.toString('latin1')
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  const location = /^location: *(\S+)/im.exec(head)?.[1]
  const named = body.includes('#EXTM3U') ? [...body.matchAll(/URI="([^"\r\n]+)"/g)].map((found) => found[1] ?? '') : []
  const lines = body.includes('#EXTM3U')
    ? body.split(/[\r\n]+/).filter((line) => line !== '' && !line.startsWith('#'))
    : []
  return [location ?? '', ...named, ...lines].flatMap((lead) => {
    const target = lead === '' ? null : URL.parse(lead, address)
    return target?.protocol === 'http:' && target.href.length < 8000 ? [target.href] : []
  })
}

const tryHttp = async (farm: Farm, input: Input, index: number, dice: Dice): Promise<string | undefined> => {
  const given = input.args.at(-1) ?? ''
  const { port } = input.gateway
  const response = await askThrough(port, requestFor(given), dice.onceIn(8) ? dice.below(2000) : maxAnswer)
  if (response.isLeftOpen) return 'the gateway holds a connection whose camera has gone'
  const leads = leadsOf(response.bytes, given)
  if (dice.onceIn(6)) leads.unshift(leadingAway({ ...farm.world, own: `${farm.world.own}/${index}` }, dice))
  for (const lead of leads.slice(0, maxFollowed)) {
    const next = await askThrough(
      port,
      dice.onceIn(10) ? `CONNECT 0.0.0.0:${farm.world.canary} HTTP/1.1\r\n\r\n` : requestFor(lead),
    )
    if (next.isLeftOpen) return `the gateway holds a connection to ${lead.slice(0, 100)}`
  }
  return undefined
}

const rtspWaitMs = 40

const tryRtsp = async (input: Input, index: number, dice: Dice): Promise<string | undefined> => {
  const socket = await reach(input.gateway.port)
  const reader = createRtspReader()
  const passed: number[] = []
  const count = () => passed.length
  let wake = () => {}
  socket.on('data', (chunk: Buffer) => {
    passed.push(...reader.take(chunk))
    wake()
  })
  socket.once('close', () => wake())
  /** Waits for another answer, the end of the connection, or a timeout. */
  const nextAnswer = async (before: number): Promise<void> => {
    const limit = after(rtspWaitMs).then(() => true)
    while (!socket.destroyed && count() === before) {
      const isOver = await Promise.race([limit, new Promise<boolean>((resolve) => (wake = () => resolve(false)))])
      if (isOver) return
    }
  }
  for (const [turn, method] of ['OPTIONS', 'DESCRIBE', 'SETUP'].entries()) {
    const before = count()
    socket.write(
      `${method} rtsp://127.0.0.1:${input.gateway.port}/${index}/live RTSP/1.0\r\nCSeq: ${turn + 1}\r\n` +
        `User-Agent: Lavf59\r\n\r\n`,
    )
    await nextAnswer(before)
    if (socket.destroyed || dice.onceIn(10)) break
  }
  socket.destroy()
  const redirect = passed.find((status) => status >= 300 && status < 400)
  return redirect === undefined ? undefined : `ffmpeg would read a redirect (${redirect}) of what the gateway passed`
}

/** Requests one hostile source through its own gateway; returns the fault, if any. */
export const tryGateway = async (farm: Farm, index: number): Promise<string | undefined> => {
  const dice = farm.diceOf(index, 0)
  const isRtsp = dice.onceIn(3)
  const input = await openInput(sourceOf(farm, isRtsp ? 'rtsp' : 'http', index, dice.pick(['', 'a', '"\\ö'])), true)
  try {
    return await (isRtsp ? tryRtsp(input, index, dice) : tryHttp(farm, input, index, dice))
  } finally {
    input.gateway.close()
  }
}
