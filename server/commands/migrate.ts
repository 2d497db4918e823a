import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { requireNoNodes } from '../cluster/stand-in.ts'
import { moveArchive } from '../move/archive.ts'
import { moveSite, progressOfMove, revertMove } from '../move/move.ts'
import { archiveUrlOf, databaseUrlOf } from '../option-values.ts'
import { schema } from '../schema.ts'
import type { ExclusiveDatabase } from '../store/exclusive-database.ts'
import { lockForCommand } from '../store/data-lock.ts'
import { openDatabaseOf } from '../store/open.ts'
import { openExclusiveDatabase, openExclusiveFile } from '../store/open-exclusive.ts'
import { databaseName, keyName, requireDatabase, secureFolder } from '../store/secure-folder.ts'
import { UsageError, WrongArguments } from '../usage-error.ts'
import { exitCodes, parseCommand, dataFlags, print, showProgress, stopSignal, type Command } from './command.ts'
import { dataOptionsOf, type DataOptions } from './data-options.ts'

/** Whether the database goes to a file, and the PostgreSQL database that `--to` or DATABASE_URL names. */
type Direction = { isToFile: boolean; databaseUrl: string }
/** The ARCHIVE_URL of the bucket that recordings go to; undefined for the folders. */
type ArchiveTarget = { bucket: string | undefined }

const needed = 'migrate takes --to, --archive, both, or --undo'

const directionOf = (to: string, configuredUrl: string | undefined): Direction => {
  const isUrl = to.includes('://')
  if (!isUrl && to !== 'sqlite' && to !== 'postgres') {
    throw new WrongArguments('--to takes postgres, a URL like postgres://host/name, or sqlite')
  }
  const databaseUrl = isUrl ? databaseUrlOf(to) : configuredUrl
  if (databaseUrl === undefined) throw new UsageError(`--to ${to} needs the PostgreSQL database in DATABASE_URL`)
  if (configuredUrl !== undefined && configuredUrl !== databaseUrl) {
    throw new UsageError('--to and DATABASE_URL name different databases: unset DATABASE_URL, or give --to postgres')
  }
  return { isToFile: to === 'sqlite', databaseUrl }
}

const openKnownFile = async ({ dataDir }: DataOptions): Promise<ExclusiveDatabase> =>
  openExclusiveFile(requireDatabase(dataDir))

const openNewFile = async ({ dataDir }: DataOptions): Promise<ExclusiveDatabase> => {
  secureFolder(dataDir)
  return openExclusiveFile(join(dataDir, databaseName))
}

/** Opens both databases; nobody else can use them meanwhile. */
const withDatabases = async <T>(
  { isToFile, databaseUrl }: Direction,
  data: DataOptions,
  work: (source: ExclusiveDatabase, target: ExclusiveDatabase) => Promise<T>,
): Promise<T> => {
  const openServer = () => openExclusiveDatabase(databaseUrl)
  await using source = await (isToFile ? openServer() : openKnownFile(data))
  await using target = await (isToFile ? openNewFile(data) : openServer())
  return await work(source, target)
}

const moveDatabase = (direction: Direction, data: DataOptions, signal: AbortSignal): Promise<number> =>
  withDatabases(direction, data, async (source, target) => {
    const sums = await moveSite(source, target, {
      schema,
      now: Date.now,
      signal,
      report: print,
      onProgress: ({ table, done, of }) => showProgress(`${table}: ${done} of ${of} rows`, done >= of),
    })
    if (sums === undefined) {
      const how = direction.isToFile ? '' : ', with DATABASE_URL unset,'
      print(`Stopped. Run it again to go on, or "sightline migrate --undo"${how} to keep the source.`)
      return exitCodes.stopped
    }
    print(`${source.location} was moved to ${target.location}.`)
    return exitCodes.done
  })

const moveRecordings = async (
  { bucket }: ArchiveTarget,
  { dataDir, databaseUrl, archiveDirs }: DataOptions,
  signal: AbortSignal,
): Promise<number> => {
  if (databaseUrl === undefined) requireDatabase(dataDir)
  const release = lockForCommand(dataDir)
  const store = await openDatabaseOf(join(dataDir, databaseName), { databaseUrl }, schema)
  try {
    if (databaseUrl !== undefined) await requireNoNodes(store)
    const moved = await moveArchive({
      store,
      dataDir,
      archiveDirs,
      to: bucket,
      signal,
      report: print,
      onProgress: ({ done, of }) => showProgress(`${done} of ${of} chunks`, done >= of),
    })
    if (moved === undefined) {
      print('Stopped. Run it again to go on.')
      return exitCodes.stopped
    }
    const { chunks, bytes, checksum, failed, missing } = moved
    for (const each of failed) print(`Not moved: ${each}`)
    const target = bucket === undefined ? 'The folders have' : 'The bucket has'
    if (missing > 0) print(`${target} ${missing} chunks fewer than the index.`)
    print(`${chunks} chunks (${bytes} bytes) were moved and compared; the checksum of both sides is ${checksum}.`)
    return failed.length === 0 && missing === 0 ? exitCodes.done : exitCodes.failed
  } finally {
    await store.close()
    release()
  }
}

/**
 * Recordings go first, so that the source still says where they are if the move of the database is undone. Once that
 * has begun, the source doesn't change any more, and they go last.
 */
const moveBoth = async (
  direction: Direction,
  archive: ArchiveTarget,
  data: DataOptions,
  signal: AbortSignal,
): Promise<number> => {
  const { isToFile, databaseUrl } = direction
  const progress = await withDatabases(direction, data, progressOfMove)
  const isOnServer = progress === 'absent' ? isToFile : !isToFile
  const recordings = () =>
    moveRecordings(archive, { ...data, databaseUrl: isOnServer ? databaseUrl : undefined }, signal)
  const database = () => moveDatabase(direction, data, signal)
  const steps = { absent: [recordings, database], begun: [database, recordings], ended: [recordings] }[progress]
  for (const step of steps) {
    if (signal.aborted) return exitCodes.stopped
    const code = await step()
    if (code !== exitCodes.done) return code
  }
  return exitCodes.done
}

const archiveHintOf = ({ bucket }: ArchiveTarget): string =>
  bucket === undefined ? 'Unset ARCHIVE_URL' : 'Set ARCHIVE_URL to the bucket'

const databaseHintsOf = ({ isToFile }: Direction, dataDir: string): string[] => {
  if (!isToFile) return ['Set DATABASE_URL to that database and start the server with the same data folder.']
  const hint = 'Unset DATABASE_URL and start the server.'
  if (existsSync(join(dataDir, keyName))) return [hint]
  return [`Copy the other files of the old data folder, ${keyName} above all, to ${dataDir}.`, hint]
}

const move = async (to: string | undefined, archive: string | undefined, data: DataOptions): Promise<number> => {
  const direction = to === undefined ? undefined : directionOf(to, data.databaseUrl)
  const bucket = archive === 'folders' ? undefined : archiveUrlOf(archive)
  const target = archive === undefined ? undefined : { bucket }
  const signal = stopSignal()
  if (direction === undefined) {
    if (target === undefined) throw new WrongArguments(needed)
    const code = await moveRecordings(target, data, signal)
    if (code !== exitCodes.stopped) print(`${archiveHintOf(target)} and start the server.`)
    return code
  }
  const code = await (target === undefined
    ? moveDatabase(direction, data, signal)
    : moveBoth(direction, target, data, signal))
  if (code !== exitCodes.done) return code
  if (target !== undefined) print(`${archiveHintOf(target)}.`)
  for (const line of databaseHintsOf(direction, data.dataDir)) print(line)
  return code
}

const undo = async (data: DataOptions): Promise<number> => {
  const { databaseUrl } = data
  await using database = await (databaseUrl === undefined ? openKnownFile(data) : openExclusiveDatabase(databaseUrl))
  const to = await revertMove(database)
  print(`A server can start with this database again. Delete the copy in ${to} before you migrate again.`)
  return exitCodes.done
}

export const migrate: Command = {
  summary: 'Moves the database to PostgreSQL and recordings to a bucket, or back, while the server is stopped',
  usage: `Usage: sightline migrate --to postgres|URL|sqlite [--archive s3:…|folders] [--config FILE] [--data-dir DIR]
       sightline migrate --archive s3://BUCKET/PREFIX?…|folders [--config FILE] [--data-dir DIR]
       sightline migrate --undo [--config FILE] [--data-dir DIR]
  --to postgres   from the file in the data folder to the empty PostgreSQL database of DATABASE_URL, or of URL
                  (postgres://user@host/name; give the password in PGPASSWORD, where other users can't see it)
  --to sqlite     from the PostgreSQL database of DATABASE_URL to a data folder without a database
  --archive s3:…  moves the recordings from the folders and other buckets to the bucket with this ARCHIVE_URL
  --archive folders  from buckets to the folders of ARCHIVE_DIRS, by default the one in the data folder
  --undo          lets a server start again with the configured database after it was migrated
  Stop the server first. Ctrl-C stops the migration; run it again to go on. No server starts with the source of --to
  once its migration has begun, nor with the target until it is complete; at the end all rows of both databases are
  compared. --archive reads each chunk back and compares it before the source is deleted. With both, recordings go
  first, and the database follows if all of them were moved. --to alone leaves them where they are; server.key always
  stays.
  Exit codes: 0 done, 1 failed, 2 wrong arguments or configuration, 130 stopped.`,
  run: async (args, env) => {
    const text = { type: 'string' } as const
    const options = { ...dataFlags, to: text, archive: text, undo: { type: 'boolean' } } as const
    const { to, archive, undo: isUndone, ...values } = parseCommand(args, options).values
    if (isUndone === true && (to ?? archive) !== undefined) throw new WrongArguments(needed)
    const data = dataOptionsOf(values, env)
    return isUndone === true ? undo(data) : move(to, archive, data)
  },
}
