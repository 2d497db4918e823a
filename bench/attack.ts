import { Agent, request } from 'node:http'
import { loadavg } from 'node:os'
import process from 'node:process'
import { setTimeout as after } from 'node:timers/promises'
import { quantile } from './figures.ts'
import { usedBy } from './processes.ts'
import { startServer } from './server.ts'

/**
 * Guesses at passwords, ten thousand times from one address and from as many, and says who was held up: `node bench/attack.ts`.
 * The server trusts a proxy on loopback, so that each attempt comes from the address its X-Forwarded-For names.
 */
const attempts = Number(process.argv[2] ?? 10_000)
const people = 25
const server = await startServer(true, { hasDemo: false, env: { TRUST_PROXY: 'loopback' } })
const { address, login, password } = server

type Answer = { status: number; body: string; ms: number; retryAfter: number; cookie: string }
const agent = new Agent({ keepAlive: true, maxSockets: 100 })
const aside = new Agent({ keepAlive: true })

const call = (method: string, path: string, from: string, body?: object, cookie = '', by = agent): Promise<Answer> =>
  new Promise((done, fail) => {
    const began = performance.now()
    const headers = { origin: address, 'x-forwarded-for': from, cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const sent = request(`${address}${path}`, { method, agent: by, headers }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      response.on('end', () => {
        const [set = ''] = response.headers['set-cookie'] ?? []
        done({ status: response.statusCode ?? 0, body: text, ms: performance.now() - began, retryAfter: Number(response.headers['retry-after'] ?? 0), cookie: set.split(';')[0] ?? '' })
      })
    })
    sent.on('error', fail)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
const signIn = (name: string, secret: string, from: string) => call('POST', '/v1/sign-in', from, { name, password: secret })

const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b)
const memory = () => Math.round(usedBy(server.pid === null ? [] : [server.pid]).residentBytes / 1024 / 1024)
const host = (index: number) => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`
const say = (line: string) => process.stdout.write(`${line}\n`)

/** Attacks with so many calls at once; meanwhile health is asked, and `during` is done half-way. */
const attack = async (name: string, count: number, guess: (index: number) => Promise<Answer>, during: () => Promise<Answer>) => {
  const found = new Map<string, number>()
  const health: number[] = []
  const over = new AbortController()
  const watch = async () => {
    while (!over.signal.aborted) {
      health.push((await call('GET', '/v1/system/health', '192.0.2.99', undefined, '', aside)).ms)
      await after(20)
    }
  }
  const watching = watch()
  let next = 0
  let rightful: Promise<Answer> | undefined
  const began = performance.now()
  const worker = async () => {
    while (next < count) {
      const index = next
      next += 1
      if (index === Math.floor(count / 2)) rightful = during()
      const { status, body } = await guess(index)
      const kind = `${status} ${body}`
      found.set(kind, (found.get(kind) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: 100 }, worker))
  over.abort()
  await watching
  const own = await rightful
  say(`${name}: ${count} attempts in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  for (const [kind, times] of found) say(`  ${times} × ${kind}`)
  say(`  the rightful user meanwhile: ${own?.status} in ${own?.ms.toFixed(0)} ms; health p95 ${quantile(sorted(health), 0.95).toFixed(0)} ms, worst ${Math.max(...health).toFixed(0)} ms; memory ${memory()} MB; load ${(loadavg()[0] ?? 0).toFixed(1)}`)
}

const own = '192.0.2.1'
const { cookie } = await signIn(login, password, own)
for (let index = 0; index < people; index += 1) await call('POST', '/v1/user', own, { name: `person${index}`, password: `quite another ${index}` }, cookie)
say(`memory before: ${memory()} MB`)

const comeBack = async (from: string) => {
  const held = await signIn(login, password, from)
  say(`  the rightful user there: ${held.status}, to come back after ${held.retryAfter} s`)
  await after(held.retryAfter * 1000)
  say(`  after that: ${(await signIn(login, password, from)).status}`)
}
await attack('From one address', attempts, (index) => signIn(login, `guess ${index}`, '198.51.100.7'), () => signIn(login, password, own))
await comeBack('198.51.100.7')
await attack('From as many addresses at one login', attempts, (index) => signIn(login, `guess ${index}`, host(index)), () => signIn(login, password, own))
await comeBack('203.0.113.5')
await attack('From as many addresses at as many logins', Math.min(attempts, 2000), (index) => signIn(`somebody${index}`, `guess ${index}`, host(100_000 + index)), () => signIn(login, password, own))

const times = { known: [] as number[], unknown: [] as number[] }
const answers = { known: new Set<string>(), unknown: new Set<string>() }
for (let round = 0; round < 16; round += 1) {
  for (let person = 0; person < people; person += 1) {
    for (const kind of round % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
      const { ms, status, body } = await signIn(`${kind === 'known' ? 'person' : 'nobody'}${person}`, 'wrong', host(200_000 + round * 1000 + person * 2 + Number(kind === 'known')))
      times[kind].push(ms)
      answers[kind].add(`${status} ${body}`)
    }
  }
}
const share = (values: readonly number[], most: number) => values.filter((value) => value <= most).length / values.length
const distance = Math.max(...[...times.known, ...times.unknown].map((most) => Math.abs(share(times.known, most) - share(times.unknown, most))))
const bound = 1.63 * Math.sqrt(2 / times.known.length)
const words = (values: readonly number[]) => `median ${quantile(sorted(values), 0.5).toFixed(1)} ms, p95 ${quantile(sorted(values), 0.95).toFixed(1)} ms`
say(`A login that exists: ${words(times.known)}; one that doesn't: ${words(times.unknown)} (${times.known.length} each, alternately)`)
say(`  the distributions are ${distance.toFixed(3)} apart (Kolmogorov–Smirnov); beyond ${bound.toFixed(3)} they would differ at 1 %`)
say(`  answers: ${[...answers.known].join(' ')} and ${[...answers.unknown].join(' ')}`)

agent.destroy()
aside.destroy()
await server.stop()
