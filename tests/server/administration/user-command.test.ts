import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Secret, TOTP } from 'otpauth'
import { expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import type { ServerPlugin } from '../../../server/context.ts'
import { portOf } from '../../../server/start.ts'
import { patience } from '../../fixtures/patience.ts'
import { password, startServer } from '../fixtures/harness.ts'
import { connectHere } from '../fixtures/local-connection.ts'
import { newFolder } from '../fixtures/tape.ts'

const better = 'another horse 9'

const sightline = async (args: readonly string[], input: string, program = resolve('bin/sightline')) => {
  const child = spawn(program, args, { env: { PATH: process.env['PATH'] } })
  child.stdin.end(input)
  const [[status], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  return { status, stdout, stderr }
}

/** An answer without end, as long as somebody reads it. */
const endless: ServerPlugin = (app) => {
  const send = async function* (): AsyncGenerator<Buffer> {
    for (;;) {
      yield Buffer.alloc(1000)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  app.get('/v1/endless', { config: { access: { to: 'user' } } }, async (_request, reply) =>
    reply.send(Readable.from(send())),
  )
}

/** A server on a file of its own, as the command opens that beside it. */
const running = async () => {
  const dataDir = newFolder()
  const server = await startServer({ dataDir, connect: connectHere, plugins: [endless], now: Date.now })
  await server.addUser('ann', true)
  await server.addUser('bob')
  const reset = (name: string, input: string, ...more: string[]) =>
    sightline(['user', 'reset-password', name, '--data-dir', dataDir, ...more], input)
  return { ...server, dataDir, reset }
}

const Log = z.object({
  items: z.array(z.looseObject({ action: z.string(), login: z.string(), outcome: z.string(), target: z.string() })),
})

test('a password set beside a running server ends sessions, tokens and answers under way, and is audited', async () => {
  const { app, ask, signIn, reset } = await running()
  const [ann, bob] = [await signIn('ann'), await signIn('bob')]
  const made = await ask('POST', '/v1/token', { cookie: bob, body: { name: 'script' } })
  const { token } = z.parse(z.object({ token: z.string() }), made.body)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const answer = await fetch(`http://127.0.0.1:${portOf(app)}/v1/endless`, { headers: { cookie: bob } })
  const broken = answer.arrayBuffer().then(
    () => 'whole',
    () => 'broken off',
  )
  expect(await reset('BOB', `${better}\n`)).toEqual({
    status: 0,
    stdout: 'The password of bob is set. bob must change it at the next sign-in.\n',
    stderr: '',
  })
  expect(await broken).toBe('broken off')
  expect((await ask('GET', '/v1/user', { cookie: bob })).status).toBe(401)
  expect((await ask('GET', '/v1/user', { headers: { authorization: `Bearer ${token}` } })).status).toBe(401)
  expect((await ask('GET', '/v1/user', { cookie: ann })).status).toBe(200)

  const again = (given: string) => ask('POST', '/v1/sign-in', { body: { name: 'bob', password: given } })
  expect((await again(password)).status).toBe(401)
  expect(await again(better)).toMatchObject({ status: 200, body: { mustChangePassword: true } })
  const { items } = z.parse(Log, (await ask('GET', '/v1/admin/audit-logs', { cookie: ann })).body)
  expect(items.filter(({ action }) => action === 'user.change')).toMatchObject([
    { login: '', target: 'bob', outcome: 'ok', changes: [{ path: 'password' }] },
  ])
})

test('the second factor stays on with another password, unless it is to be removed', async () => {
  const { ask, context, signIn, reset } = await running()
  const { id } = await context.accounts.get('bob')
  const code = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  await context.totp.confirm(id, code(await context.totp.begin(id)))
  const words = 'The password of bob is set. bob must change it at the next sign-in.\n'
  expect(await reset('bob', `${better}\n`)).toMatchObject({
    status: 0,
    stdout: `${words}The second factor stays on; --remove-second-factor turns it off.\n`,
  })
  const again = () => ask('POST', '/v1/sign-in', { body: { name: 'bob', password: better } })
  expect(await again()).toMatchObject({ status: 401, body: { code: 'SecondFactorRequired' } })
  expect(await reset('bob', `${better}\n`, '--remove-second-factor')).toMatchObject({
    status: 0,
    stdout: `${words}The second factor is off.\n`,
  })
  const cookie = await signIn('ann')
  // The server sees what another process wrote a moment later.
  await vi.waitFor(async () => expect(await again()).toMatchObject({ status: 200 }), patience)
  const { items } = z.parse(Log, (await ask('GET', '/v1/admin/audit-logs', { cookie })).body)
  expect(items.filter(({ action }) => action === 'user.remove-totp')).toMatchObject([
    { login: '', target: 'bob', outcome: 'ok' },
  ])
})

test('what is refused changes nothing, and is reported', async () => {
  const { app, dataDir, reset } = await running()
  await app.close()
  expect(await reset('bob', 'camera\n')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'At least 8 characters. Nothing was changed.\n',
  })
  expect(await reset('eve', `${better}\n`)).toMatchObject({
    status: 1,
    stderr: 'There is no user eve. Nothing was changed.\n',
  })
  expect(await reset('bob', '')).toMatchObject({ status: 130, stdout: 'Stopped. Nothing was changed.\n' })
  expect(await sightline(['user', 'reset-password', 'bob', '--data-dir', newFolder()], better)).toMatchObject({
    status: 2,
  })
  expect(await sightline(['user', 'reset-password', 'bob', better, '--data-dir', dataDir], '')).toMatchObject({
    status: 2,
    stderr: 'user takes reset-password and the login of a user\n"sightline user --help" says how it is used.\n',
  })
  const again = await startServer({ dataDir, connect: connectHere, now: Date.now })
  expect((await again.ask('POST', '/v1/sign-in', { body: { name: 'bob', password } })).status).toBe(200)
})

test('at a terminal it is typed twice, and not shown; Ctrl-C ends it', async () => {
  const { app, dataDir } = await running()
  await app.close()
  const command = `'${resolve('bin/sightline')}' user reset-password bob --data-dir '${dataDir}'`
  const typed = async (...answers: string[]) => {
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      env: { PATH: process.env['PATH'] },
    })
    let shown = ''
    const due = [...answers]
    child.stdout.on('data', (chunk: Buffer) => {
      shown += chunk.toString()
      // One answer for each question, once that is asked.
      if (/(?:password|more): $/.test(shown)) child.stdin.write(due.shift() ?? '')
    })
    const [status] = await once(child, 'close')
    return { status, shown: shown.replaceAll('\r', '') }
  }
  const asked = 'New password: \nNew password once more: \n'
  expect(await typed(`${better}\n`, 'another horse 8\n')).toEqual({
    status: 1,
    shown: `${asked}The passwords differ. Nothing was changed.\n`,
  })
  expect(await typed('\u0003')).toEqual({ status: 130, shown: 'New password: \nStopped. Nothing was changed.\n' })
  expect(await typed(`${better}\n`, `${better}\n`)).toEqual({
    status: 0,
    shown: `${asked}The password of bob is set. bob must change it at the next sign-in.\n`,
  })
})
