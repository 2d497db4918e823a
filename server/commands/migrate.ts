import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { moveArchive } from '../move/archive.ts'
import { moveSite, revertMove } from '../move/move.ts'
import { archiveUrlOf, databaseOf } from '../option-values.ts'
import { schema } from '../schema.ts'
import type { Bulk } from '../store/bulk.ts'
import { openDatabaseBulk, openFileBulk } from '../store/open-bulk.ts'
import { databaseName, keyName, requireDatabase, secureFolder } from '../store/secure-folder.ts'
import { UsageError } from '../usage-error.ts'
import { openArchiveStore } from './archive-store.ts'
import { exitCodes, parseCommand, dataFlags, print, showProgress, untilInterrupted, type Command } from './command.ts'
import { dataOptionsOf, type DataOptions } from './data-options.ts'

/** The direction that `--to` names, and the PostgreSQL that it or DATABASE_URL names. */
const directionOf = (to: string, known: string | undefined) => {
  const isAddress = to.includes('://')
  if (!isAddress && to !== 'sqlite' && to !== 'postgres') {
    throw new UsageError('--to takes postgres, an address like postgres://host/name, or sqlite')
  }
  const given = isAddress ? databaseOf(to) : known
  if (given === undefined) throw new UsageError(`--to ${to} needs DATABASE_URL, which names the PostgreSQL`)
  if (known !== undefined && known !== given) {
    throw new UsageError('DATABASE_URL names another PostgreSQL than --to: unset it, or say --to postgres')
  }
  return { isToFile: to === 'sqlite', databaseUrl: given }
}

const openKnownFile = async ({ dataDir }: DataOptions): Promise<Bulk> => openFileBulk(requireDatabase(dataDir))

const openNewFile = async ({ dataDir }: DataOptions): Promise<Bulk> => {
  secureFolder(dataDir)
  return openFileBulk(join(dataDir, databaseName))
}

const hintsOf = (isToFile: boolean, dataDir: string): string[] => {
  if (!isToFile) return ['Set DATABASE_URL to that address and start the server with the same data folder.']
  const hint = 'Unset DATABASE_URL and start the server.'
  if (existsSync(join(dataDir, keyName))) return [hint]
  return [`Copy what else is in the other data folder, ${keyName} above all, to ${dataDir}.`, hint]
}

const move = async (to: string, data: DataOptions): Promise<number> => {
  const { isToFile, databaseUrl } = directionOf(to, data.databaseUrl)
  const openServer = () => openDatabaseBulk(databaseUrl)
  await using source = await (isToFile ? openServer() : openKnownFile(data))
  await using target = await (isToFile ? openNewFile(data) : openServer())
  const sums = await moveSite(source, target, {
    schema,
    now: Date.now,
    signal: untilInterrupted(),
    report: print,
    onProgress: ({ table, done, of }) => showProgress(`${table}: ${done} of ${of} rows`, done >= of),
  })
  if (sums === undefined) {
    print('Stopped. Run it again to go on; "sightline migrate --undo" takes the source back instead.')
    return exitCodes.stopped
  }
  print(`${source.location} was moved to ${target.location}.`)
  for (const line of hintsOf(isToFile, data.dataDir)) print(line)
  return exitCodes.done
}

/** To the bucket of this address, or to the folders. */
const moveRecordings = async (to: string, { dataDir, databaseUrl, archiveDirs }: DataOptions): Promise<number> => {
  const bucket = to === 'folders' ? undefined : archiveUrlOf(to)
  if (databaseUrl === undefined) requireDatabase(dataDir)
  const store = await openArchiveStore({ dataDir, databaseUrl })
  try {
    const moved = await moveArchive({
      store,
      dataDir,
      archiveDirs,
      to: bucket,
      now: Date.now,
      signal: untilInterrupted(),
      report: print,
      onProgress: ({ done, of }) => showProgress(`${done} of ${of} chunks`, done >= of),
    })
    if (moved === undefined) {
      print('Stopped. Run it again to go on.')
      return exitCodes.stopped
    }
    const { chunks, bytes, checksum, failed } = moved
    for (const each of failed) print(`Not moved: ${each}`)
    print(`${chunks} chunks, ${bytes} bytes, were moved and read again; their checksum is ${checksum} on both sides.`)
    print(
      bucket === undefined ? 'Unset ARCHIVE_URL and start the server.' : 'Set ARCHIVE_URL to it and start the server.',
    )
    return failed.length === 0 ? exitCodes.done : exitCodes.failed
  } finally {
    await store.close()
  }
}

const undo = async (data: DataOptions): Promise<number> => {
  const { databaseUrl } = data
  await using database = await (databaseUrl === undefined ? openKnownFile(data) : openDatabaseBulk(databaseUrl))
  const to = await revertMove(database)
  print(`A server can start on it again. What is in ${to} stays there: remove it before you move again.`)
  return exitCodes.done
}

export const migrate: Command = {
  summary: 'Moves the database to PostgreSQL or back, or recordings to a bucket or back, while the server is stopped',
  usage: `Usage: sightline migrate --to postgres|ADDRESS|sqlite [--config FILE] [--data-dir DIR]
       sightline migrate --archive s3://BUCKET/PREFIX?…|folders [--config FILE] [--data-dir DIR]
       sightline migrate --undo [--config FILE] [--data-dir DIR]
  --to postgres   from the file in the data folder to the empty PostgreSQL database that DATABASE_URL names, or
                  that ADDRESS does (postgres://user@host/name; with the password in PGPASSWORD nobody sees it)
  --to sqlite     from the PostgreSQL that DATABASE_URL names to a data folder without a database
  --archive s3:…  moves the recordings from the folders to a bucket, by its ARCHIVE_URL
  --archive folders  from buckets to the folders of ARCHIVE_DIRS, by default that of the data folder
  --undo          lets a server start again on the database that the options name, after it was moved elsewhere
  With --to, recordings and server.key stay where they are. With --archive, each chunk is read again where it was put,
  and compared, before it goes from where it was; the server must not run. Ctrl-C stops it; the next run goes on. At the
  end of --to every row of both databases is compared. No server starts on the source after that, or on a target that
  isn't complete.
  Exit codes: 0 done, 1 it failed, 2 it can't begin, 130 it was stopped.`,
  run: async (args, env) => {
    const text = { type: 'string' } as const
    const options = { ...dataFlags, to: text, archive: text, undo: { type: 'boolean' } } as const
    const { to, archive, undo: isUndone, ...values } = parseCommand(args, options).values
    const asked = [to, archive, isUndone].filter((each) => each !== undefined)
    if (asked.length !== 1) throw new UsageError('migrate takes --to, --archive or --undo')
    const data = dataOptionsOf(values, env)
    if (archive !== undefined) return moveRecordings(archive, data)
    return to === undefined ? undo(data) : move(to, data)
  },
}
