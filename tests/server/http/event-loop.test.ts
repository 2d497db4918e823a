import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { openDatabase } from '../../../server/store/sqlite.ts'
import { connectWorker } from '../../../server/store/worker-connection.ts'
import { startServer } from '../fixtures/harness.ts'

const Count = z.object({ count: z.number() })

test('while a write takes long the event loop turns and calls are answered', async () => {
  const { ask, context } = await startServer({ connect: connectWorker })
  const { store } = context
  await store.run('CREATE TABLE numbers (number INTEGER)')
  // Another program's lock: no write can end before it does.
  const other = openDatabase(join(context.dataDir, 'sightline.db'))
  onTestFinished(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  const order: string[] = []
  const write = async () => {
    const rows = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT i FROM n'
    await store.run(`INSERT INTO numbers ${rows}`)
    order.push('written')
  }
  const writing = write()
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    order.push('turn')
  }
  const count = () => store.get(Count, 'SELECT count(*) AS count FROM numbers')
  const { status } = await ask('GET', '/v1/system/health')
  order.push(`answered ${status}`, `read ${(await count())?.count}`)
  other.exec('COMMIT')
  order.push('released')
  await writing
  expect({ order, count: await count() }).toEqual({
    order: ['turn', 'turn', 'turn', 'answered 200', 'read 0', 'released', 'written'],
    count: { count: 300_000 },
  })
})
