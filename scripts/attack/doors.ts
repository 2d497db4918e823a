import { createServer as createTlsServer } from 'node:tls'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { makeCertificate } from '../certificate.ts'
import { call, exchange } from './calls.ts'
import { listenRaw } from './cameras.ts'
import { differenceOf } from './distributions.ts'
import { atEnd } from './endings.ts'
import { addPerson, needed } from './people.ts'
import { openTarget, type Attack, type Scene } from './scene.ts'
import { callerOf } from './space.ts'

const statusIn = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0)

const hostNames = async (scene: Scene): Promise<void> => {
  const { target } = await openTarget(scene)
  const ask = async (host: string, path: string) =>
    statusIn(
      await exchange(target.origin(), `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, 2000),
    )
  const own = new URL(target.origin()).host
  const foreign = [
    'rebinding.example',
    'rebinding.example:80',
    `${own}.rebinding.example`,
    'localhost.rebinding.example',
  ]
  const answered: string[] = []
  for (const host of foreign)
    for (const path of ['/ui/', '/v1/system/health']) if ((await ask(host, path)) < 400) answered.push(`${host}${path}`)
  const isOwnAnswered = (await ask(own, '/v1/system/health')) === 200
  scene.note(
    `${foreign.length} foreign names in Host`,
    answered.length === 0 ? 'refused' : `${answered.length} calls answered, ${answered[0]} for one`,
    answered.length === 0 && isOwnAnswered,
  )

  const fresh = await scene.start({ hasAdministrator: false })
  const body = JSON.stringify({ login: 'rebound', password: 'through the rebinding 1', email: 'a@rebinding.example' })
  const head =
    `POST /v1/system/unlock HTTP/1.1\r\nHost: rebinding.example\r\n` +
    `Origin: http://rebinding.example\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`
  const status = statusIn(await exchange(fresh.origin(), head + body, 5000))
  scene.note('the first administrator, made by a page of another name', `answered ${status}`, status >= 400)
}

const filePaths = async (scene: Scene): Promise<void> => {
  const { target } = await openTarget(scene)
  const host = new URL(target.origin()).host
  const ask = async (path: string) =>
    (
      await exchange(target.origin(), `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, 2000)
    ).replace(/\r\n(?:date|content-length|etag|last-modified|x-request-id)[^\r]*/gi, '')
  const differing: string[] = []
  for (const [there, notThere] of [
    ['..%2findex.html', '..%2fno-such.html'],
    ['..%2f..%2fpackage.json', '..%2f..%2fno-such.json'],
    ['%2e%2e%2findex.html', '%2e%2e%2fno-such.html'],
    ['..%5cindex.html', '..%5cno-such.html'],
    ['../../../etc/passwd', '../../../etc/no-such'],
  ]) {
    if ((await ask(`/ui/assets/${there}`)) !== (await ask(`/ui/assets/${notThere}`))) differing.push(there ?? '')
  }
  scene.note(
    'paths below /ui/assets/ that climb, to a file that is there and to one that isn’t',
    differing.length === 0 ? 'answered alike' : `answered differently: ${differing.join(' ')}`,
    differing.length === 0,
  )
}

const renamedThrottle = async (scene: Scene): Promise<void> => {
  const { target, admin } = await openTarget(scene)
  const user = await addPerson(target, admin, 'guessed')
  const guess = async () =>
    (
      await user.ask('PATCH', '/v1/user', {
        body: { password: 'a new one to be sure 9', oldPassword: `wrong ${Math.random()}` },
      })
    ).status
  const until429 = async () => {
    for (let count = 0; count < 40; count += 1) if ((await guess()) === 429) return count
    return 40
  }
  const first = await until429()
  needed(await user.ask('PATCH', '/v1/user', { body: { name: 'guessed2' } }))
  const more = await until429()
  scene.note('guessing at the old password, then under another login', `${first} guesses, then ${more} more`, more <= 1)
}

/** Accounts whose addresses are asked for, and as many addresses without an account. */
const accounts = 60

const resetTimes = async (scene: Scene): Promise<void> => {
  const mail = await listenRaw(scene.space, (socket) => void socket.write('220 mail\r\n'))
  scene.defer(mail.close)
  const { target, admin } = await openTarget(scene, { env: { SMTP_URL: `smtp://${scene.space.ownHost}:${mail.port}` } })
  for (let index = 0; index < accounts; index += 1) {
    const body = {
      name: `reader${index}`,
      email: `reader${index}@example.org`,
      fullName: '',
      language: 'en',
      password: `given to a reader ${index}`,
      permissionType: 'user',
      maxStreamCreation: 0,
    }
    needed(await admin.ask('POST', '/v1/user', { body }))
  }
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let index = 0; index < accounts; index += 1) {
    const kinds = index % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const kind of kinds) {
      const email = kind === 'known' ? `reader${index}@example.org` : `nobody${index}@example.org`
      const reply = await call(target.origin(), '/v1/password/send-reset', {
        method: 'POST',
        body: { email },
        from: callerOf(scene.space, index * 2 + Number(kind === 'known')),
      })
      if (reply.status === 200) times[kind].push(reply.ms)
      await after(30)
    }
  }
  const { known, unknown } = times
  const { medians, distance, bound } = differenceOf(known, unknown)
  const result =
    `medians ${medians.map((ms) => ms.toFixed(1)).join(' and ')} ms of ${known.length} and ${unknown.length}; ` +
    `the distributions are ${distance.toFixed(2)} apart (${bound.toFixed(2)} tells them apart at 1 %)`
  scene.note(
    'the time of send-reset for a login that exists and for one that doesn’t',
    result,
    known.length > 20 && distance <= bound,
  )
}

/** A TLS camera at an IP address. */
const secureCamera = async (scene: Scene): Promise<void> => {
  const { admin } = await openTarget(scene)
  const folder = mkdtempSync(join(tmpdir(), 'sightline-attack-'))
  scene.defer(() => rmSync(folder, { recursive: true }))
  const { cert, key } = makeCertificate(folder, 'camera')
  const received: string[] = []
  const camera = createTlsServer({ cert: readFileSync(cert), key: readFileSync(key) }, (socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk.toString('latin1').split('\r\n')[0] ?? '')
      socket.end('RTSP/1.0 404 Not Found\r\nCSeq: 1\r\n\r\n')
    })
  })
  camera.on('tlsClientError', () => undefined)
  camera.listen(0, scene.space.ownHost)
  scene.defer(atEnd(() => void camera.close()))
  await once(camera, 'listening')
  const address = camera.address()
  const port = address === null || typeof address === 'string' ? 0 : address.port
  const reply = await admin.ask(
    'GET',
    `/v1/stream/probe?url=${encodeURIComponent(`rtsps://${scene.space.ownHost}:${port}/live`)}`,
    { timeoutMs: 15_000 },
  )
  scene.note(
    'rtsps:// to an IP address',
    received.length === 0
      ? `the camera received nothing; answered ${reply.body.toString().slice(0, 80)}`
      : `the camera received ${received[0]}`,
    received.length > 0,
  )
}

export const doorAttacks: readonly Attack[] = [
  { name: 'doors: names of hosts', run: hostNames },
  { name: 'doors: files', run: filePaths },
  { name: 'doors: renaming and throttles', run: renamedThrottle },
  { name: 'doors: the time of send-reset', run: resetTimes },
  { name: 'doors: rtsps to an address', run: secureCamera },
]
