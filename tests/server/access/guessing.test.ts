import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { startServer, type Harness } from '../fixtures/harness.ts'
import type { ServerPlugin } from '../../../server/context.ts'

const watch: ServerPlugin = (app) => {
  app.get('/v1/stream/:uid', { config: { access: { to: 'view', from: 'params.uid' } } }, async () => ({}))
}

const flipped = (secret: string, at: number): string => {
  const other = secret[at] === 'A' ? 'B' : 'A'
  return `${secret.slice(0, at)}${other}${secret.slice(at + 1)}`
}

/** What somebody who knows nearly all of a secret, or all that the database has of it, would send. */
const guessesAt = (secret: string): string[] => {
  const hash = createHash('sha256').update(secret).digest()
  return [
    flipped(secret, 3),
    flipped(secret, 20),
    secret.slice(0, -1),
    `${secret}A`,
    secret.toLowerCase(),
    secret.slice(0, 8),
    '%',
    '*',
    '_'.repeat(secret.length),
    hash.toString('hex'),
    hash.toString('base64url'),
    "' OR 1=1 --",
  ]
}

/** How a secret is sent, how one call reads with the right one, and how with every other. */
const ways: readonly [
  string,
  (server: Harness) => string | Promise<string>,
  (secret: string) => Record<string, string>,
  number,
][] = [
  [
    'a session',
    async ({ signIn }) => (await signIn('ann')).split('=')[1] ?? '',
    (secret) => ({ cookie: `session=${encodeURIComponent(secret)}` }),
    401,
  ],
  [
    'an API token',
    async ({ context }) => (await context.tokens.create('ann', 'script', null)).token,
    (secret) => ({ authorization: `Bearer ${secret}` }),
    401,
  ],
  ['a share', ({ context }) => context.shares.open('s1'), (secret) => ({ 'share-token': secret }), 404],
]

test.each(ways)(
  '%s is 256 random bits, looked up by its hash: nothing near it opens anything, and all is answered alike',
  async (_name, make, headersOf, refusal) => {
    const server = await startServer({ plugins: [watch] })
    await server.addUser('ann', true)
    await server.addStream('s1')
    const secret = await make(server)
    expect(Buffer.from(secret.replace(/^sl_/, ''), 'base64url')).toHaveLength(32)
    const ask = async (given: string) => {
      const { status, body } = await server.ask('GET', '/v1/stream/s1', { headers: headersOf(given) })
      return { status, body }
    }
    expect((await ask(secret)).status).toBe(200)
    const answers = await Promise.all(guessesAt(secret).map(ask))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]?.status).toBe(refusal)
  },
)
