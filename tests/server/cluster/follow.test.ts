import { Client } from 'pg'
import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { hasPostgres } from '../../../scripts/postgres.ts'
import { createChanges } from '../../../server/store/changes.ts'
import { followPostgres } from '../../../server/store/postgres/follow.ts'
import { schemaOf, runSql } from '../fixtures/database.ts'
import { endPostgres, postgresOf } from '../fixtures/nodes.ts'

endPostgres()

/** The connections of this server, of which only the one that follows is open here. */
const own = "FROM pg_stat_activity WHERE application_name = 'sightline'"

describe.runIf(hasPostgres())('following a database', () => {
  test('goes on when its connection is lost, and catches up with what it missed', async () => {
    const url = await schemaOf((await postgresOf()).url, randomUUID())
    await runSql(url, 'CREATE TABLE things (name TEXT)')
    const client = new Client(url)
    await client.connect()
    onTestFinished(() => client.end())
    const changes = createChanges()
    const seen: string[][] = []
    changes.follow(['things'], async () => {
      const { rows } = await client.query<{ name: string }>('SELECT name FROM things ORDER BY name')
      seen.push(rows.map(({ name }) => name))
    })
    const noted: (string | undefined)[] = []
    const close = await followPostgres(url, changes.tables(), (table) => {
      noted.push(table)
      changes.note(table)
    })
    onTestFinished(close)
    await runSql(url, "INSERT INTO things VALUES ('a')")
    await expect.poll(() => seen.at(-1)).toEqual(['a'])
    expect(noted).toEqual([undefined, 'things'])

    await runSql(url, `SELECT pg_terminate_backend(pid) ${own}; INSERT INTO things VALUES ('b')`)
    await expect.poll(() => seen.at(-1)).toEqual(['a', 'b'])
    expect(noted.filter((table) => table === undefined)).toHaveLength(2)
    await runSql(url, "INSERT INTO things VALUES ('c')")
    await expect.poll(() => seen.at(-1)).toEqual(['a', 'b', 'c'])
  })

  test('ends without a new connection', async () => {
    const url = await schemaOf((await postgresOf()).url, randomUUID())
    await runSql(url, 'CREATE TABLE things (name TEXT)')
    const close = await followPostgres(url, ['things'], () => undefined)
    const connecting = vi.spyOn(Client.prototype, 'connect')
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
      connecting.mockRestore()
    })
    await close()
    vi.advanceTimersByTime(60_000)
    expect(connecting).not.toHaveBeenCalled()
    vi.useRealTimers()
    const client = new Client(url)
    await client.connect()
    onTestFinished(() => client.end())
    await expect.poll(async () => (await client.query(`SELECT pid ${own}`)).rows).toEqual([])
  })
})
