import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasPostgres } from '../../../scripts/postgres.ts'
import type { Release } from '../../../scripts/release/fixture.ts'
import { moveSite } from '../../../server/move/move.ts'
import { schema } from '../../../server/schema.ts'
import { openExclusiveDatabase, openExclusiveFile } from '../../../server/store/open-exclusive.ts'
import { runSql, postgresOfFile, schemaOf } from '../fixtures/database.ts'
import { expectKnown, layRelease, releases, startAfter } from '../fixtures/release.ts'

const postgresUrl = postgresOfFile()

const steps = {
  schema,
  now: Date.now,
  signal: new AbortController().signal,
  report: () => undefined,
  onProgress: () => undefined,
}

/** Every table with its columns and rows. */
const contentOf = async (url: string): Promise<unknown[]> => {
  await using database = await openExclusiveDatabase(url)
  const content: unknown[] = []
  for (const table of await database.tables()) content.push(table, await database.read(table, undefined, 1000))
  return content
}

/** Lays the data folder of a release, and moves its database to PostgreSQL, with the tables that the release had. */
const moved = async (release: Release) => {
  const dataDir = layRelease(release)
  const databaseUrl = await schemaOf(await postgresUrl(), randomUUID())
  await using source = openExclusiveFile(join(dataDir, 'sightline.db'))
  await using target = await openExclusiveDatabase(databaseUrl)
  await moveSite(source, target, steps)
  return { dataDir, databaseUrl }
}

/** PostgreSQL came after the versions that had segments as rows. */
const onPostgres = releases.filter(({ date }) => date > '2026-11-25')

describe.skipIf(!hasPostgres())('on PostgreSQL', () => {
  test.each(onPostgres)('a site of $name starts under this version', async (release) => {
    const video = await startAfter(release, await moved(release))
    await video.site.untilRepacked()
    await expectKnown(video, release)
    expect(video.site.store.all()).toHaveLength(2)
  })

  test.each(onPostgres.slice(0, -1))('a migration of $name that fails changes nothing', async (release) => {
    const data = await moved(release)
    await runSql(data.databaseUrl, 'CREATE TABLE motion (obstacle TEXT PRIMARY KEY)')
    const before = await contentOf(data.databaseUrl)
    await expect(startAfter(release, data)).rejects.toThrow(/^The database was not changed: step /)
    expect(await contentOf(data.databaseUrl)).toEqual(before)
    await runSql(data.databaseUrl, 'DROP TABLE motion')
    const { app } = await startAfter(release, data)
    expect((await app.inject({ url: '/v1/system/ready', headers: { host: 'localhost' } })).statusCode).toBe(200)
  })
})
