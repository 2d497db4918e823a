import { expect, test } from 'vitest'
import { createServerLog, maskSecrets } from '../../../server/http/log.ts'
import { start, startServer } from '../fixtures/harness.ts'

test("administrators read the server's own log on from the last line, without secrets", async () => {
  const { ask, addUser, signIn, context } = await startServer()
  await addUser('ann', true)
  await addUser('bob')
  const cookie = await signIn('ann')
  const read = async (query = '') => (await ask('GET', `/v1/system/logs${query}`, { cookie })).body
  const before = Object(await read()).items.length
  context.log.debug('too small a thing')
  context.log.info('opened rtsp://joe:secret@10.0.0.1/a')
  context.log.error({ err: new Error('no route to http://x/?token=abc'), uid: 's1' }, 'went wrong')
  const { items } = Object(await read())
  expect(items.slice(before)).toEqual([
    {
      id: expect.stringMatching(/^\d+$/),
      time: expect.any(String),
      level: 'info',
      message: 'opened rtsp://***@10.0.0.1/a',
    },
    {
      id: expect.stringMatching(/^\d+$/),
      time: expect.any(String),
      level: 'error',
      message: 'went wrong (no route to http://x/?token=***; uid=s1)',
    },
  ])
  expect(await read(`?after=${items.at(-2).id}`)).toEqual({ items: [items.at(-1)] })
  expect(await read(`?after=${items.at(-1).id}`)).toEqual({ items: [] })
  expect(await read('?after=nonsense')).toEqual({ items })
  const refused = await ask('GET', '/v1/system/logs', { cookie: await signIn('bob') })
  expect({ status: refused.status, body: refused.body }).toEqual({ status: 403, body: { code: 'Forbidden' } })
})

test('it is bounded, passes on from the level that was asked for, and goes on after a restart', () => {
  const passed: string[] = []
  const line = (level: number, msg: string) => JSON.stringify({ level, time: start, msg })
  const log = createServerLog('warn', start, (text) => passed.push(text))
  for (let count = 0; count < 2100; count += 1) log.write(line(30, `line ${count}`))
  log.write(line(40, 'warned'))
  const lines = log.read(undefined)
  expect({ length: lines.length, first: lines[0]?.message, last: lines.at(-1), passed }).toEqual({
    length: 2000,
    first: 'line 101',
    last: { id: expect.any(String), time: start, level: 'warn', message: 'warned' },
    passed: [line(40, 'warned')],
  })
  const restarted = createServerLog('silent', start + 60_000, (text) => passed.push(text))
  restarted.write(line(60, 'gone'))
  expect({ after: restarted.read(lines.at(-1)?.id).map(({ message }) => message), passed: passed.length }).toEqual({
    after: ['gone'],
    passed: 1,
  })
})

test('an error has the id by which the log names its request, and callers choose none', async () => {
  const { ask, context } = await startServer({
    beforeRoutes: (app) => {
      app.get('/v1/broken', { config: { access: { to: 'anyone' }, beforeFirstAdministrator: true } }, async () => {
        throw new Error('no such luck')
      })
    },
  })
  const answers = [
    await ask('GET', '/v1/broken', { headers: { 'x-request-id': 'mine', 'request-id': 'mine' } }),
    await ask('GET', '/v1/nothing'),
    await ask('GET', '/v1/system/health'),
  ]
  const [broken, nothing, health] = answers.map(({ headers }) => headers['x-request-id'])
  expect(broken).toMatch(/^[0-9a-f]{12}$/)
  expect(nothing).toMatch(/^[0-9a-f]{12}$/)
  expect(health).toBeUndefined()
  expect(context.serverLog.read(undefined).at(-1)).toMatchObject({
    level: 'error',
    message: `unexpected error (no such luck; reqId=${String(broken)})`,
  })
})

test('logs mask the credentials of addresses and queries', () => {
  expect(maskSecrets('open rtsp://joe:p%40ss@10.0.0.1/a and http://h/x?token=abc&y=1 failed')).toBe(
    'open rtsp://***@10.0.0.1/a and http://h/x?token=***&y=1 failed',
  )
})
