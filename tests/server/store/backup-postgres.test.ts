import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hasPostgres } from '../../../scripts/postgres.ts'
import { makeBackup } from '../../../server/backup/backup.ts'
import { restoreBackup } from '../../../server/backup/restore.ts'
import { moveSite } from '../../../server/move/move.ts'
import { schema } from '../../../server/schema.ts'
import type { ExclusiveDatabase } from '../../../server/store/exclusive-database.ts'
import { openExclusiveDatabase, openExclusiveFile } from '../../../server/store/open-exclusive.ts'
import { openPostgres } from '../../../server/store/postgres/open.ts'
import { openDatabase } from '../../../server/store/sqlite.ts'
import { postgresOfFile, runSql } from '../fixtures/database.ts'
import { addChunks, contentOf, fillEveryTable } from '../fixtures/every-table.ts'

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-dump-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const postgresUrl = postgresOfFile()
const newDatabase = async (name: string): Promise<string> => {
  const url = await postgresUrl()
  await runSql(url, `CREATE DATABASE ${name} TEMPLATE template0`)
  // The server trusts everybody; what counts is where the password is seen.
  return url.replace('/postgres?', `/${name}?`).concat('&password=secret7')
}

const steps = { signal: new AbortController().signal, report: () => undefined, onProgress: () => undefined }

const move = async (
  from: ExclusiveDatabase | Promise<ExclusiveDatabase>,
  to: ExclusiveDatabase | Promise<ExclusiveDatabase>,
): Promise<void> => {
  await using source = await from
  await using target = await to
  await moveSite(source, target, { ...steps, schema, now: Date.now })
}

describe.skipIf(!hasPostgres())('a backup of a server on PostgreSQL', () => {
  test('the drill: made while it is used, and restored into an empty one, it is equal in every table', async () => {
    const [dataDir, elsewhere, back] = [newFolder(), newFolder(), newFolder()]
    const [first, second] = [await newDatabase('first'), await newDatabase('second')]
    const file = join(dataDir, 'sightline.db')
    writeFileSync(join(dataDir, 'server.key'), 'key', { mode: 0o600 })
    await fillEveryTable(file)
    addChunks(file, 100)
    // With numbers that no volume has.
    const db = openDatabase(file)
    db.exec('DELETE FROM volumes WHERE id > 0')
    db.close()
    const before = contentOf(file)
    await move(openExclusiveFile(file), openExclusiveDatabase(first))

    const server = await openPostgres(first)
    onTestFinished(server.close)
    const backup = join(newFolder(), 'monday')
    await makeBackup({ dataDir, databaseUrl: first }, backup, steps)
    // What is changed meanwhile is of another moment.
    await server.run("DELETE FROM stream_facts WHERE name <> ''")
    expect(readdirSync(backup)).toEqual(expect.arrayContaining(['chunks-0.txt', 'server.key', 'sightline.dump']))
    expect(readdirSync(backup).filter((name) => (statSync(join(backup, name)).mode & 0o077) !== 0)).toEqual([])
    expect(readFileSync(join(backup, 'chunks-0.txt'), 'utf8').match(/^door\//gm)).toHaveLength(100)

    const restored = (databaseUrl?: string) => restoreBackup(backup, { dataDir: elsewhere, databaseUrl }, steps)
    await expect(restored(first)).rejects.toThrow(/is using postgres:.*: stop it first$/)
    await expect(restored()).rejects.toThrow('The backup is of PostgreSQL: set DATABASE_URL to an empty database')
    writeFileSync(join(elsewhere, 'server.key'), 'another')
    await expect(restored(second)).rejects.toThrow(`The server.key in ${elsewhere} is not that of the backup`)
    rmSync(join(elsewhere, 'server.key'))
    await restored(second)
    expect(readFileSync(join(elsewhere, 'server.key'), 'utf8')).toBe('key')
    await expect(restored(second)).rejects.toThrow("isn't empty")

    await move(openExclusiveDatabase(second), openExclusiveFile(join(back, 'sightline.db')))
    expect(contentOf(join(back, 'sightline.db'))).toEqual(before)
  })

  test('one that fails or is stopped leaves nothing, and the password is no argument', async () => {
    const [dataDir, folder] = [newFolder(), newFolder()]
    writeFileSync(join(dataDir, 'server.key'), 'key', { mode: 0o600 })
    const location = { dataDir, databaseUrl: await newDatabase('third') }
    const stopped = { ...steps, signal: AbortSignal.abort() }
    expect(await makeBackup(location, join(folder, 'stopped'), stopped)).toBeUndefined()
    const path = process.env['PATH']
    process.env['PATH'] = folder
    onTestFinished(() => {
      process.env['PATH'] = path
    })
    await expect(makeBackup(location, join(folder, 'missing'), steps)).rejects.toThrow(
      "pg_dump is missing: install PostgreSQL's programs (Debian: apt-get install postgresql-client)",
    )
    expect(readdirSync(folder)).toEqual([])

    const script = `#!/bin/sh\necho "$@" >${folder}/arguments\necho "$PGPASSWORD" >${folder}/password\nexit 1`
    writeFileSync(join(folder, 'pg_dump'), script, { mode: 0o700 })
    await expect(makeBackup(location, join(folder, 'failed'), steps)).rejects.toThrow('pg_dump failed')
    const args = readFileSync(join(folder, 'arguments'), 'utf8')
    expect([args.startsWith('--no-password --dbname=postgres:'), args.includes('secret7')]).toEqual([true, false])
    expect(readFileSync(join(folder, 'password'), 'utf8')).toBe('secret7\n')
    expect(readdirSync(folder).toSorted()).toEqual(['arguments', 'password', 'pg_dump'])
  })
})
