import { setTimeout as after } from 'node:timers/promises'
import { call, type Reply } from './calls.ts'
import { listenRaw } from './cameras.ts'
import { addPerson, addStream } from './people.ts'
import { openTarget, type Attack, type Scene } from './scene.ts'

/** The limit for the delay of other calls by a text, in milliseconds; the attack itself loads the machine, too. */
const maxHeldUpMs = 500

/** 240 kB of combining marks in the wrong order, which take quadratic time to sort. */
export const markedText = `a${'\u0301'.repeat(60_000)}${'\u0323'.repeat(60_000)}`

const worstOf = (times: readonly [string, number][]): string => {
  const [name, ms] = times.toSorted(([, a], [, b]) => b - a)[0] ?? ['', 0]
  return `${Math.round(ms)} ms (${name})`
}

const markedTexts = async (scene: Scene): Promise<void> => {
  const { target, admin, health } = await openTarget(scene)
  const origin = target.origin()
  const first = Date.now()
  const { status } = await call(origin, '/v1/sign-in', {
    method: 'POST',
    body: { name: 'admin', password: markedText },
    timeoutMs: 60_000,
  })
  await after(300)
  const seen = health.since(first)
  scene.note(
    'one sign-in, nobody’s, with a password of 240 kB of combining marks',
    `${seen.summary}; answered ${status}`,
    seen.worst < maxHeldUpMs,
  )

  const user = await addPerson(target, admin, 'scribe', -1)
  const bodies: [string, string, unknown][] = [
    ['POST', '/v1/sign-in', { name: markedText, password: 'x' }],
    ['POST', '/v1/password/send-reset', { email: markedText }],
    ['POST', '/v1/password/reset', { email: 'a@b', code: markedText, password: markedText }],
    ['POST', '/v1/system/unlock', { login: markedText, password: markedText, email: markedText }],
    ['PATCH', '/v1/user', { fullName: markedText }],
    ['PATCH', '/v1/user', { name: markedText }],
    ['PATCH', '/v1/user', { password: markedText, oldPassword: markedText }],
    ['POST', '/v1/token', { name: markedText }],
    ['POST', '/v1/mosaic', { name: markedText, columns: 1, rows: 1, cells: [] }],
    ['POST', '/v1/bookmarks', { streamId: markedText, time: new Date().toISOString(), note: markedText }],
    [
      'POST',
      '/v1/stream',
      { name: markedText, streamSource: markedText, tags: [markedText], location: { name: markedText } },
    ],
    ['PUT', '/v1/stream/x', { name: markedText, streamSource: markedText }],
  ]
  const times: [string, number][] = []
  for (const [method, path, body] of bodies) {
    const began = Date.now()
    await user.ask(method, path, { body, timeoutMs: 60_000 })
    await after(250)
    times.push([`${method} ${path}`, health.since(began).worst])
  }
  scene.note(
    `the same text in the bodies of ${bodies.length} other calls`,
    `worst health ${worstOf(times)}`,
    times.every(([, ms]) => ms < maxHeldUpMs),
  )
}

const long = (text: string): string => text.repeat(Math.ceil(12_000 / text.length)).slice(0, 12_000)

/** Headers and URLs of 12 kB that are the worst case for the server's expressions. */
const repeatedText = async (scene: Scene): Promise<void> => {
  const { admin, health } = await openTarget(scene)
  await addStream(admin, 'Door', 'demo:gate')
  const headers = [
    'cookie',
    'authorization',
    'share-token',
    'user-agent',
    'referer',
    'origin',
    'range',
    'if-none-match',
    'accept',
    'accept-encoding',
    'accept-language',
    'content-type',
    'x-forwarded-for',
    'x-forwarded-host',
    'forwarded',
    'sec-fetch-site',
    'via',
  ]
  const texts = [
    'a=',
    ';',
    ' ',
    ',',
    '=;',
    '"\\',
    'Bearer ',
    '../',
    '%',
    'http://',
    '[',
    'aaaa@',
    '::',
    'password=',
    'user=_',
    'RTSP/',
  ]
  const times: [string, number][] = []
  const timed = async (name: string, call: Promise<Reply>) => times.push([name, (await call).ms])
  for (const header of headers)
    for (const text of texts)
      await timed(`${header}: ${text}…`, admin.ask('GET', '/v1/streams', { headers: { [header]: long(text) } }))
  const queries: [string, string][] = [
    ['/v1/streams', 'searchingValues'],
    ['/v1/system/search', 'query'],
    ['/v1/stream/probe', 'url'],
    ['/v1/admin/audit-logs', 'login'],
    ['/v1/annotations', 'streamId'],
  ]
  for (const [path, name] of queries)
    for (const text of texts)
      await timed(
        `${path} ${text}…`,
        admin.ask('GET', `${path}?${name}=${encodeURIComponent(long(text)).slice(0, 12_000)}`),
      )
  for (const text of texts)
    await timed(
      `streamSource ${text}…`,
      admin.ask('POST', '/v1/stream', {
        body: { name: 'x', streamSource: `http://192.0.2.1/${long(text).slice(0, 3900)}` },
      }),
    )
  const seen = health.since(0)
  const isHeld = seen.worst < maxHeldUpMs && times.every(([, ms]) => ms < 2 * maxHeldUpMs)
  scene.note(
    `${times.length} calls with 12 kB of repeated text in headers, queries and sources`,
    `slowest answer ${worstOf(times)}; ${seen.summary}`,
    isHeld,
  )
}

const rtspFlood = async (scene: Scene): Promise<void> => {
  const { admin, health } = await openTarget(scene)
  const floods: Readonly<Record<string, string>> = {
    '390 kB of RTSP/': 'RTSP/'.repeat(78_000),
    '390 kB of RTSP/1.0 and spaces': 'RTSP/1.0 '.repeat(43_000),
    '390 kB of zeros after a status': `RTSP/1.0 ${'0'.repeat(390_000)}`,
    '390 kB of empty lines': '\r\n'.repeat(195_000),
    '390 kB of interleaved frames of nothing': '$\0\0\0'.repeat(97_500),
    '390 kB of one header': `RTSP/1.0 200 OK\r\nCSeq: 1\r\nX: ${'x:'.repeat(195_000)}`,
  }
  const times: [string, number][] = []
  for (const [name, flood] of Object.entries(floods)) {
    const camera = await listenRaw(
      scene.space,
      (socket) => void socket.once('data', () => socket.write(Buffer.from(flood, 'latin1'))),
    )
    const began = Date.now()
    const url = `rtsp://${scene.space.ownHost}:${camera.port}/live`
    await admin.ask('GET', `/v1/stream/probe?url=${encodeURIComponent(url)}`, { timeoutMs: 4000 })
    // An aborted probe ends; the server still reads what it had requested.
    await after(500)
    for (let waited = 0; waited < 40 && health.since(Date.now() - 1000).count === 0; waited += 1) await after(1000)
    times.push([name, health.since(began).worst])
    camera.close()
  }
  scene.note(
    `a camera of RTSP that answers ${Object.keys(floods).length} kinds of floods, ${Object.keys(floods)[0]} first`,
    `worst health ${worstOf(times)}`,
    times.every(([, ms]) => ms < maxHeldUpMs),
  )
}

export const textAttacks: readonly Attack[] = [
  { name: 'text: passwords of combining marks', run: markedTexts },
  { name: 'text: a flood of RTSP/', run: rtspFlood },
  { name: 'text: repeated text in headers, queries and sources', run: repeatedText },
]
