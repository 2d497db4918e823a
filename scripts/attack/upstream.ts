import { connect } from 'node:http2'
import { buffer } from 'node:stream/consumers'
import { setTimeout as after } from 'node:timers/promises'
import { call, jsonOf, member, exchange } from './calls.ts'
import { slowPath, startRecorder, type RecordedRequest, type Recorder } from './recorder.ts'
import { certified, type Attack, type Scene } from './scene.ts'
import type { Target } from './target.ts'

const methods = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST'] as const
const inside = `GET ${slowPath} HTTP/1.1\r\nHost: x\r\nCookie: session=attacker\r\n\r\n`
const chunked = `${inside.length.toString(16)}\r\n${inside}\r\n0\r\n\r\n`

/** Headers that frame a body and that a proxy may misread, each with the body. */
const framings: Readonly<Record<string, readonly [headers: string, body: string]>> = {
  chunked: ['Transfer-Encoding: chunked\r\n', chunked],
  'Connection: transfer-encoding': ['Connection: transfer-encoding\r\nTransfer-Encoding: chunked\r\n', chunked],
  'Connection: content-length': [`Connection: content-length\r\nContent-Length: ${inside.length}\r\n`, inside],
  'Connection: keep-alive, Content-Length': [
    `Connection: keep-alive, Content-Length\r\nContent-Length: ${inside.length}\r\n`,
    inside,
  ],
  'Expect: 100-continue': [`Expect: 100-continue\r\nContent-Length: ${inside.length}\r\n`, inside],
}

type Proxied = { target: Target; recorder: Recorder }

const proxied = async (
  scene: Scene,
  answer?: (recorded: RecordedRequest) => string | undefined,
  env: NodeJS.ProcessEnv = {},
): Promise<Proxied> => {
  const recorder = await startRecorder(scene.space, answer)
  scene.defer(recorder.close)
  return { recorder, target: await scene.start({ args: ['--upstream', recorder.url], env, hasAdministrator: false }) }
}

/** Makes ten calls as another visitor; returns how many got an answer that isn't theirs. */
const wrongAnswers = async (ask: (path: string) => Promise<unknown>): Promise<number> => {
  let wrong = 0
  for (let turn = 0; turn < 10; turn += 1) {
    const path = `/v1/of-the-victim-${turn}`
    if (member(await ask(path), 'path') !== path) wrong += 1
  }
  return wrong
}

const smuggledIn = ({ recorded }: Recorder): number => recorded.filter(({ path }) => path === slowPath).length

const smuggling = async (scene: Scene): Promise<void> => {
  const { target, recorder } = await proxied(scene)
  const origin = target.origin()
  const leaks: string[] = []
  let wrong = 0
  for (const method of methods) {
    for (const [name, [headers, body]] of Object.entries(framings)) {
      const before = smuggledIn(recorder)
      const one = `${method} /v1/outer HTTP/1.1\r\nHost: ${new URL(origin).host}\r\n${headers}\r\n${body}`
      await exchange(origin, one + one, 60)
      wrong += await wrongAnswers(async (path) =>
        jsonOf(await call(origin, path, { headers: { cookie: 'session=victim' }, timeoutMs: 2000 })),
      )
      if (smuggledIn(recorder) > before) leaks.push(`${method} ${name}`)
    }
  }
  const result =
    leaks.length === 0 && wrong === 0
      ? 'no byte of a body became a request'
      : `${leaks.length} left unframed bytes (${leaks.join('; ')}); ${wrong} of a visitor’s calls got another answer`
  scene.note(
    `HTTP/1.1, pipelined: ${methods.length} methods with ${Object.keys(framings).length} framings each`,
    result,
    leaks.length === 0 && wrong === 0,
  )
}

const smugglingOver2 = async (scene: Scene): Promise<void> => {
  const { target, recorder } = await proxied(scene, undefined, certified(scene))
  const session = connect(target.origin(), { rejectUnauthorized: false })
  session.on('error', () => undefined)
  scene.defer(() => session.destroy())
  const ask = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<unknown> => {
    const stream = session.request({ ':method': method, ':path': path, ...headers }, { endStream: body === undefined })
    stream.end(body)
    const limit = after(2000).then(() => Buffer.alloc(0))
    return jsonOf({ body: await Promise.race([buffer(stream).catch(() => Buffer.alloc(0)), limit]) })
  }
  const leaks: string[] = []
  let wrong = 0
  for (const method of methods) {
    for (const headers of [{}, { 'content-length': String(inside.length) }, { trailer: 'x', te: 'trailers' }]) {
      const before = smuggledIn(recorder)
      await Promise.all([ask(method, '/v1/outer', headers, inside), ask(method, '/v1/outer', headers, inside)])
      wrong += await wrongAnswers((path) => ask('GET', path, { cookie: 'session=victim' }))
      if (smuggledIn(recorder) > before) leaks.push(`${method} ${Object.keys(headers).join(' ')}`.trim())
    }
  }
  const result =
    leaks.length === 0 && wrong === 0
      ? 'no byte of a body became a request'
      : `${leaks.length} left unframed bytes (${leaks.join('; ')}); ${wrong} of a visitor’s calls got another answer`
  scene.note(
    `HTTP/2: ${methods.length} methods with bodies that announce a length or none`,
    result,
    leaks.length === 0 && wrong === 0,
  )
}

const spoofing = async (scene: Scene): Promise<void> => {
  const { target, recorder } = await proxied(scene)
  const spoofed = {
    'x-forwarded-for': '203.0.113.66',
    'x-forwarded-host': 'spoofed.example',
    'x-forwarded-proto': 'spoofed',
    'x-forwarded-port': '66666',
    forwarded: 'for=203.0.113.66',
    'x-real-ip': '203.0.113.66',
  }
  await call(target.origin(), '/v1/forwarded', { headers: spoofed })
  const [recorded] = recorder.recorded
  const kept = Object.keys(spoofed).filter((name) =>
    /203\.0\.113\.66|spoofed|66666/.test(recorded?.headers.get(name) ?? ''),
  )
  scene.note(
    'X-Forwarded-*, Forwarded and X-Real-IP of a stranger',
    recorded === undefined
      ? 'nothing arrived'
      : kept.length === 0
        ? `dropped; x-forwarded-for is ${recorded.headers.get('x-forwarded-for') ?? 'absent'}`
        : `passed on: ${kept.join(', ')}`,
    recorded !== undefined && kept.length === 0,
  )
}

/** Whether a path is outside /v1 after normalization. */
const leavesPath = (path: string): boolean => {
  const parts: string[] = []
  for (const part of (path.split('?')[0] ?? '').split(/[/\\]/).map((each) => each.replaceAll(/%2e/gi, '.'))) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts[0] !== 'v1'
}

const paths = async (scene: Scene): Promise<void> => {
  const { target, recorder } = await proxied(scene)
  const { host } = new URL(target.origin())
  const asked = [
    '/v1/%2e%2e/x',
    '/v1/../x',
    '/v1/.%2e/x',
    '/v1/a/%2E%2E/%2e%2e/x',
    '/v1/%2e%2e',
    '/v1/%2e/%2e%2e/x',
    '/v1/..\\x',
    `http://${host}/v1/%2e%2e/x`,
    '/v1/%2e%2e/x?y=/v1/',
  ]
  for (const path of asked)
    await exchange(target.origin(), `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, 1000)
  const out = recorder.recorded.map(({ path }) => path).filter(leavesPath)
  scene.note(
    `${asked.length} paths that climb out of /v1`,
    out.length === 0 ? 'none was passed on' : `passed on: ${out.join(' ')}`,
    out.length === 0,
  )
}

const withHead = (status: string, headers: string): string =>
  `HTTP/1.1 ${status}\r\n${headers}Content-Length: 2\r\n\r\n{}`

const oddAnswers = async (scene: Scene): Promise<void> => {
  const statuses = ['099 Odd', '000 None', '999 Much', '199 Early']
  const own: { url: string } = { url: '' }
  const { target, recorder } = await proxied(scene, ({ path }) => {
    const status = /^\/v1\/status\/(\d)/.exec(path)?.[1]
    if (status !== undefined) return withHead(statuses[Number(status)] ?? '200 OK', '')
    if (path === '/v1/away') return withHead('302 Found', `Location: ${own.url}//elsewhere.example/x\r\n`)
    if (path === '/v1/back') return withHead('302 Found', `Location: ${own.url}\\\\elsewhere.example/x\r\n`)
    if (path === '/v1/bare') return withHead('200 OK', 'Content-Type: text/html\r\n')
    if (path === '/v1/loose')
      return withHead(
        '200 OK',
        'Content-Type: text/html\r\nContent-Security-Policy: default-src *\r\nX-Content-Type-Options: no\r\n' +
          'X-Frame-Options: ALLOWALL\r\n',
      )
    return undefined
  })
  own.url = recorder.url
  const origin = target.origin()
  const answers: string[] = []
  for (const [index, status] of statuses.entries())
    answers.push(`${status.slice(0, 3)} → ${(await call(origin, `/v1/status/${index}`, { timeoutMs: 5000 })).status}`)
  const isUp = target.isUp()
  if (!isUp) await target.start()
  scene.note(
    'odd statuses of the other server',
    `${answers.join(', ')}${isUp ? '' : '; the server ended'}`,
    isUp && answers.slice(0, 2).every((each) => each.endsWith('→ 502')),
  )

  const elsewhere: string[] = []
  for (const path of ['/v1/away', '/v1/back']) {
    const location = (await call(origin, path)).headers.location
    if (location !== undefined && new URL(location, `${origin}${path}`).hostname === 'elsewhere.example')
      elsewhere.push(location)
  }
  scene.note(
    'a redirect to …//elsewhere.example of the other server itself',
    elsewhere.length === 0 ? 'leads to no other host' : `leads to another host: ${elsewhere.join(' ')}`,
    elsewhere.length === 0,
  )

  const missing: string[] = []
  for (const path of ['/v1/bare', '/v1/loose']) {
    const { headers } = await call(origin, path)
    const policy = String(headers['content-security-policy'] ?? '')
    if (!policy.includes("default-src 'none'")) missing.push(`${path} content-security-policy`)
    if (headers['x-content-type-options'] !== 'nosniff') missing.push(`${path} x-content-type-options`)
    if (headers['x-frame-options'] !== 'DENY') missing.push(`${path} x-frame-options`)
  }
  scene.note(
    'answers without protective headers, or with loose ones',
    missing.length === 0 ? 'ours are on them' : `missing or loose: ${missing.join(', ')}`,
    missing.length === 0,
  )
}

export const upstreamAttacks: readonly Attack[] = [
  { name: 'upstream: smuggling over HTTP/1.1', run: smuggling },
  { name: 'upstream: smuggling over HTTP/2', run: smugglingOver2 },
  { name: 'upstream: spoofed addresses', run: spoofing },
  { name: 'upstream: paths', run: paths },
  { name: 'upstream: answers', run: oddAnswers },
]
