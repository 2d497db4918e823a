import { renameSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createReadiness } from '../../../server/administration/readiness.ts'
import type { ReadyCheck, ServerPlugin } from '../../../server/context.ts'
import { createStreamsPlugin } from '../../../server/streams/plugin.ts'
import { startServer } from '../fixtures/harness.ts'

const checksOf = (ok: Record<string, boolean>) => ({
  checks: Object.entries(ok).map(([name, isOk]) => ({ name, ok: isOk })),
})

/** The server with its streams started, and another check that a test decides. */
const open = async () => {
  let started: Promise<void> | undefined
  const isOk: { own: ReadyCheck['isOk'] } = { own: () => true }
  const own: ServerPlugin = (_app, { readyChecks }) => {
    readyChecks.push({ name: 'own', isOk: () => isOk.own() })
  }
  const harness = await startServer({
    plugins: [
      createStreamsPlugin({
        onStart: (starting) => {
          started = starting
        },
      }),
      own,
    ],
  })
  await started
  return { ...harness, isOk }
}

test('anyone may ask whether the server can serve, before there is an administrator too', async () => {
  const { ask, isOk, wait } = await open()
  const first = await ask('GET', '/v1/system/ready')
  expect({ status: first.status, body: first.body }).toEqual({
    status: 200,
    body: checksOf({ database: true, archive: true, ingest: true, own: true }),
  })
  isOk.own = () => Promise.reject(new Error('away'))
  expect((await ask('GET', '/v1/system/ready')).status).toBe(200)
  wait(2000)
  const later = await ask('GET', '/v1/system/ready')
  expect({ status: later.status, body: later.body }).toEqual({
    status: 503,
    body: checksOf({ database: true, archive: true, ingest: true, own: false }),
  })
})

test('it is not ready while its archive takes nothing', async () => {
  const { ask, context, wait } = await open()
  const folder = `${context.dataDir}/archive`
  renameSync(folder, `${folder}-away`)
  writeFileSync(folder, '')
  const { status, body } = await ask('GET', '/v1/system/ready')
  expect({ status, body }).toEqual({
    status: 503,
    body: checksOf({ database: true, archive: false, ingest: true, own: true }),
  })
  renameSync(`${folder}-away`, `${folder}-back`)
  renameSync(folder, `${folder}-away`)
  renameSync(`${folder}-back`, folder)
  wait(2000)
  expect((await ask('GET', '/v1/system/ready')).status).toBe(200)
})

test('many who ask at once cost one look', async () => {
  let looks = 0
  const check = Promise.withResolvers<boolean>()
  const isOk = () => {
    looks += 1
    return check.promise
  }
  const ready = createReadiness([{ name: 'disk', isOk }])
  const asked = Promise.all([ready(), ready(), ready()])
  check.resolve(true)
  expect(await asked).toEqual(Array.from({ length: 3 }, () => checksOf({ disk: true })))
  expect(looks).toBe(1)
})
