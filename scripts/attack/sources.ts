import { setTimeout as after } from 'node:timers/promises'
import { call } from './calls.ts'
import { listenRaw, rawHttp } from './cameras.ts'
import { addStream, signInAsAdministrator } from './people.ts'
import { openTarget, type Attack, type Scene } from './scene.ts'
import { residentMb } from './target.ts'

const many = (count: number, of: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => of(index)).join('')
const ok = 'HTTP/1.1 200 OK\r\n'
const chunked = 'Transfer-Encoding: chunked\r\n\r\n'
const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'
const page = 'Content-Type: video/mp2t\r\n'
const ts = Buffer.alloc(
  188 * 20,
  Buffer.concat([Buffer.from([0x47, 0x1f, 0xff, 0x10]), Buffer.alloc(184, 0xff)]),
).toString('latin1')

/** Malformed answers of cameras, by their fault. */
const answers: Readonly<Record<string, string>> = {
  'a trailer announced without chunks': `${ok}${page}Trailer: x\r\nContent-Length: 4\r\n\r\nabcd`,
  'a trailer that is no header': `${ok}${page}Trailer: x\r\n${chunked}4\r\nabcd\r\n0\r\n\u0001\u0002 bad: x\r\n\r\n`,
  'a forbidden trailer': `${ok}${page}Trailer: Content-Length\r\n${chunked}4\r\nabcd\r\n0\r\nContent-Length: 9\r\n\r\n`,
  'status 099': `HTTP/1.1 099 Odd\r\n${page}Content-Length: 0\r\n\r\n`,
  'status 000': 'HTTP/1.1 000 None\r\nContent-Length: 0\r\n\r\n',
  'status 999': 'HTTP/1.1 999 Much\r\nContent-Length: 0\r\n\r\n',
  'status 204 with a body': 'HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\nabcd',
  'status 304 with a body': 'HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\nabcd',
  'status 101': 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
  'status 200 with an upgrade': `${ok}Connection: upgrade\r\nUpgrade: x\r\nContent-Length: 1\r\n\r\na`,
  'ten thousand 103': `${many(10_000, () => hint)}${ok}Content-Length: 0\r\n\r\n`,
  'ten thousand 100': `${many(10_000, () => 'HTTP/1.1 100 Continue\r\n\r\n')}${ok}Content-Length: 0\r\n\r\n`,
  'a header of 100 kB': `${ok}X: ${'x'.repeat(100_000)}\r\n\r\n`,
  'five thousand headers': `${ok}${many(5000, (index) => `X-${index}: ${index}\r\n`)}\r\n`,
  'bytes that are no text in a header': `${ok}X: \u00ff\u0080\u0001\r\nContent-Length: 0\r\n\r\n`,
  'a line break in a header': `${ok}X: a\rb\r\nContent-Length: 0\r\n\r\n`,
  'lines folded': `${ok}X: a\r\n b\r\n\tc\r\nContent-Length: 0\r\n\r\n`,
  'two lengths': `${ok}Content-Length: 4\r\nContent-Length: 9\r\n\r\nabcd`,
  'a length and chunks': `${ok}Content-Length: 4\r\n${chunked}4\r\nabcd\r\n0\r\n\r\n`,
  'a length below zero': `${ok}Content-Length: -1\r\n\r\nabcd`,
  'a length without end': `${ok}Content-Length: 99999999999999999999\r\n\r\nabcd`,
  'a chunk without end': `${ok}${chunked}ffffffffffffffff\r\nabcd`,
  'an extension of a chunk of 200 kB': `${ok}${chunked}4;${'x'.repeat(200_000)}\r\nabcd\r\n0\r\n\r\n`,
  'compressed twice, wrongly': `${ok}Content-Encoding: gzip, br\r\nContent-Length: 4\r\n\r\nabcd`,
  'headers of a proxy':
    `${ok}Connection: close, content-length\r\nKeep-Alive: timeout=0\r\n` +
    `Proxy-Connection: x\r\nContent-Length: 4\r\n\r\nabcd`,
  'a date and cookies that are none': `${ok}Date: \u0000\r\nSet-Cookie: ${'a'.repeat(9000)}\r\n\r\n`,
  'half a header': 'HTTP/1.1 200 OK\r\nContent-Ty',
  nothing: '',
  'a version that is none': 'HTTP/9.9 200 OK\r\n\r\n',
  ICY: `ICY 200 OK\r\nicy-metaint: 1\r\n\r\n${ts}`,
  noise: Array.from({ length: 5000 }, (_, index) => String.fromCodePoint((index * 7919) % 256)).join(''),
  'a redirect to itself': 'HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n',
  'a redirect to no address': 'HTTP/1.1 302 Found\r\nLocation: http://[::1:99999/\u0000\r\nContent-Length: 0\r\n\r\n',
}

const floodMs = 10_000
const names = Object.keys(answers)

const malformedAnswers = async (scene: Scene): Promise<void> => {
  const { target, admin, health } = await openTarget(scene)
  const camera = await rawHttp(scene.space, (path) =>
    Buffer.from(answers[names[Number(path.slice(1))] ?? ''] ?? answers['a redirect to itself'] ?? '', 'latin1'),
  )
  scene.defer(camera.close)
  const began = Date.now()
  const killers: string[] = []
  const odd: string[] = []
  let by = admin
  for (const [index, name] of names.entries()) {
    for (const path of ['probe', 'preview']) {
      const ends = target.ends.length
      const reply = await by.ask('GET', `/v1/stream/${path}?url=${encodeURIComponent(`${camera.url}/${index}`)}`, {
        timeoutMs: 5000,
      })
      await after(30)
      if (target.ends.length === ends) {
        if (reply.status >= 500) odd.push(`${name}: ${reply.status}`)
        continue
      }
      killers.push(name)
      await target.start()
      by = await signInAsAdministrator(target)
      break
    }
  }
  const result =
    killers.length === 0
      ? `the server lives; ${health.since(began).summary}`
      : `${killers.length} ended the server: ${killers.join(', ')}; ${target.ends[0]}`
  scene.note(
    `${names.length} malformed answers of an HTTP source, asked by probe and preview`,
    result + (odd.length === 0 ? '' : `; ${odd.join(', ')}`),
    killers.length === 0 && odd.length === 0,
  )
}

const hostileStream = async (scene: Scene): Promise<void> => {
  const { target, admin } = await openTarget(scene)
  const camera = await rawHttp(scene.space, () => answers['status 099'])
  scene.defer(camera.close)
  await addStream(admin, 'Hostile', `${camera.url}/live.ts`)
  await after(4000)
  for (let restart = 0; restart < 2; restart += 1) {
    if (!target.isUp()) await target.start()
    else await target.stop().then(() => target.start())
    await after(5000)
  }
  scene.note(
    'a stream of such a source, over two restarts',
    target.ends.length === 0 ? 'the server lives' : `ended by itself ${target.ends.length} times`,
    target.ends.length === 0,
  )
}

/** Sources that repeat `text` until they are disconnected. */
const withoutEnd = async (scene: Scene, name: string, text: string): Promise<void> => {
  const { target, admin, health } = await openTarget(scene)
  const flood = Buffer.from(text.repeat(Math.ceil(60_000 / text.length)))
  const camera = await listenRaw(scene.space, (socket) => {
    const pour = () => {
      while (!socket.destroyed && socket.write(flood));
    }
    socket.on('drain', pour)
    pour()
  })
  scene.defer(camera.close)
  const began = Date.now()
  const asked = Array.from({ length: 6 }, () =>
    call(target.origin(), `/v1/stream/probe?url=${encodeURIComponent(`${camera.url}/x`)}`, {
      headers: admin.proof(),
      timeoutMs: floodMs,
    }),
  )
  await Promise.all([after(floodMs), ...asked])
  const seen = health.since(began)
  scene.note(
    `six sources that send ${name} without end, ${floodMs / 1000} s`,
    `${seen.summary}; ${residentMb(target.pid())} MB resident`,
    target.ends.length === 0 && seen.p99 < 500,
  )
}

export const sourceAttacks: readonly Attack[] = [
  { name: 'gateway: malformed answers of HTTP sources', run: malformedAnswers },
  { name: 'gateway: a hostile stream and restarts', run: hostileStream },
  {
    name: 'gateway: early hints without end',
    run: (scene) => withoutEnd(scene, 'status 103', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'),
  },
  { name: 'gateway: empty lines without end', run: (scene) => withoutEnd(scene, 'empty lines', '\r\n') },
]
