import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hasPostgres, startPostgres } from '../../../scripts/postgres.ts'
import { hasS3, type S3 } from '../../../scripts/s3.ts'
import { moveArchive } from '../../../server/move/archive.ts'
import { moveSite } from '../../../server/move/move.ts'
import { schema } from '../../../server/schema.ts'
import { archiveFolder } from '../../../server/storage/folders.ts'
import { openExclusiveDatabase, openExclusiveFile } from '../../../server/store/open-exclusive.ts'
import { openPostgres } from '../../../server/store/postgres/open.ts'
import { openStore } from '../../../server/store/store.ts'
import { addChunks, contentOf, fillEveryTable } from '../fixtures/every-table.ts'
import { bytesOf } from '../fixtures/playlists.ts'
import { open, pathOf, segmentsOf, useS3, volumesOf } from '../fixtures/s3-archive.ts'
import { add, newFolder, record } from '../fixtures/tape.ts'
import { startVideo, type VideoHarness } from '../fixtures/video.ts'

const chunks = 40_000

const newFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-migrate-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'sightline.db')
}

const migrate = (dataDir: string, args: readonly string[], env: Record<string, string> = {}) => {
  const child = spawn(resolve('bin/sightline'), ['migrate', ...args, '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...env },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, lines: stdout.split('\n'), stderr }))
  return { child, ended, output: () => stdout }
}

const sumsOf = (lines: readonly string[]) => lines.filter((line) => / rows, [0-9a-f]{32}$/.test(line))

describe.skipIf(!hasPostgres())('sightline migrate', () => {
  test('killed or stopped in the middle, there and back, goes on where it was, and the site is equal', async () => {
    const postgres = await startPostgres()
    onTestFinished(postgres.remove)
    const { url } = postgres
    const [file, back] = [newFile(), newFile()]
    const env = { DATABASE_URL: url }
    await fillEveryTable(file)
    addChunks(file, chunks)
    const before = contentOf(file)

    const watching = new Client(url)
    await watching.connect()
    onTestFinished(() => watching.end())
    const copied = async (): Promise<number> => {
      const { rows } = await watching.query("SELECT to_regclass('move_progress') IS NOT NULL AS is_begun")
      if (rows[0]?.is_begun !== true) return 0
      return Number((await watching.query("SELECT count FROM move_progress WHERE name = 'chunks'")).rows[0]?.count)
    }

    const first = migrate(dirname(file), ['--to', url])
    await expect.poll(copied, { interval: 5 }).toBeGreaterThan(0)
    first.child.kill('SIGKILL')
    expect(await first.ended).toMatchObject({ signal: 'SIGKILL' })
    await expect(openPostgres(url)).rejects.toThrow('which is being moved here since')

    const second = migrate(dirname(file), ['--to', 'postgres'], env)
    await expect.poll(second.output, { interval: 5 }).toContain('Going on with the move that was interrupted')
    second.child.kill('SIGINT')
    expect(await second.ended).toMatchObject({ code: 130, stderr: 'Stopping; press Ctrl-C again to end at once.\n' })

    const third = await migrate(dirname(file), ['--to', 'postgres'], env).ended
    expect(third).toMatchObject({ code: 0, stderr: '' })
    expect(third.lines).toContain(`chunks: ${chunks + 3} of ${chunks + 3} rows`)
    expect(third.lines.at(-3)).toMatch(new RegExp(`^${file} was moved to postgres:`))
    expect(contentOf(file)).toEqual(before)

    const fourth = migrate(dirname(back), ['--to', 'sqlite'], env)
    const sizeOf = (of: string) => statSync(of, { throwIfNoEntry: false })?.size ?? 0
    await expect.poll(() => sizeOf(back) + sizeOf(`${back}-wal`), { interval: 5 }).toBeGreaterThan(3_000_000)
    fourth.child.kill('SIGKILL')
    expect(await fourth.ended).toMatchObject({ signal: 'SIGKILL' })
    const fifth = await migrate(dirname(back), ['--to', 'sqlite'], env).ended
    expect(fifth).toMatchObject({ code: 0, stderr: '' })
    expect(sumsOf(fifth.lines)).toEqual(sumsOf(third.lines))
    expect(contentOf(back)).toEqual(before)
  })

  test('a million chunks take no more memory than a few, both ways', { timeout: 900_000 }, async () => {
    const postgres = await startPostgres()
    onTestFinished(postgres.remove)
    const [file, back] = [newFile(), newFile()]
    await fillEveryTable(file)
    addChunks(file, 1_000_000)
    const env = { DATABASE_URL: postgres.url, NODE_OPTIONS: '--max-old-space-size=48' }
    const there = await migrate(dirname(file), ['--to', 'postgres'], env).ended
    expect(there).toMatchObject({ code: 0, stderr: '' })
    const again = await migrate(dirname(back), ['--to', 'sqlite'], env).ended
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(sumsOf(again.lines)).toEqual(sumsOf(there.lines))
    expect(sumsOf(there.lines).find((line) => line.startsWith('chunks: '))).toMatch(/^chunks: 1000003 rows, /)
  })
})

describe.skipIf(!hasPostgres() || !hasS3())('sightline migrate with --to and --archive', () => {
  let s3: S3
  useS3((started) => {
    s3 = started
  })
  const seconds = [0, 4, 8, 12]
  const silent = { report: () => undefined, onProgress: () => undefined }
  const mediaOf = async (video: VideoHarness): Promise<Buffer[]> =>
    Promise.all((await segmentsOf(video)).map((name) => bytesOf(video, name)))
  const site = async () => {
    const postgres = await startPostgres()
    onTestFinished(postgres.remove)
    const dataDir = newFolder()
    const video = await open('', dataDir)
    await add(video)
    await record(video, 0, 16, { chunkSeconds: 4 })
    const media = await mediaOf(video)
    await video.app.close()
    const bucket = s3.urlOf('site', randomUUID())
    const env = { DATABASE_URL: postgres.url, ...s3.env }
    return { dataDir, file: join(dataDir, 'sightline.db'), media, bucket, url: postgres.url, env }
  }

  test('goes on wherever it was interrupted, there and back, and the recordings play the same', async () => {
    const { dataDir, file, media, bucket, url, env } = await site()
    const store = await openStore(file, undefined, schema)
    const stopping = new AbortController()
    const onProgress = () => stopping.abort()
    const archiveDirs = [archiveFolder(dataDir)]
    const options = { ...silent, store, dataDir, archiveDirs, to: bucket, signal: stopping.signal, onProgress }
    expect(await moveArchive(options)).toBeUndefined()
    await store.close()

    const to = ['--to', 'postgres', '--archive', bucket]
    const there = await migrate(dataDir, to, env).ended
    expect(there).toMatchObject({ code: 0, stderr: '' })
    expect(there.lines).toEqual(expect.arrayContaining(['3 of 3 chunks', 'chunks: 4 of 4 rows']))
    expect(there.lines.slice(-3)).toEqual([
      'Set ARCHIVE_URL to the bucket.',
      'Set DATABASE_URL to that database and start the server with the same data folder.',
      '',
    ])
    const again = await migrate(dataDir, to, env).ended
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(again.lines).toContainEqual(expect.stringMatching(/^0 chunks \(0 bytes\) were moved/))
    const onServer = await startVideo({ dataDir, databaseUrl: url, archiveUrl: bucket, addsAdmin: false })
    await onServer.site.untilRepaired()
    expect(await volumesOf(onServer)).toEqual(seconds.map((second) => `${second} on 1`))
    expect(await mediaOf(onServer)).toEqual(media)
    await onServer.app.close()

    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
    {
      await using source = await openExclusiveDatabase(url)
      await using target = openExclusiveFile(file)
      const steps = { ...silent, schema, now: Date.now, signal: AbortSignal.abort() }
      expect(await moveSite(source, target, steps)).toBeUndefined()
    }
    const back = await migrate(dataDir, ['--to', 'sqlite', '--archive', 'folders'], env).ended
    expect(back).toMatchObject({ code: 0, stderr: '' })
    expect(back.lines).toEqual(
      expect.arrayContaining(['Going on with the move that was interrupted', 'chunks: 4 of 4 rows', '4 of 4 chunks']),
    )
    const last = await open('', dataDir, false)
    expect(await volumesOf(last)).toEqual(seconds.map((second) => `${second} on 0`))
    expect(await mediaOf(last)).toEqual(media)
  })

  test("leaves the database where it is if a recording can't be moved", async () => {
    const { dataDir, file, bucket, env } = await site()
    rmSync(pathOf({ dataDir }, 8))
    const { code, lines } = await migrate(dataDir, ['--to', 'postgres', '--archive', bucket], env).ended
    expect(code).toBe(1)
    expect(lines).toContainEqual(expect.stringMatching(/^Not moved: door\//))
    const store = await openStore(file, undefined, schema)
    await store.close()
  })
})
