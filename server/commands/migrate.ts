import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { moveSite, takeBack } from '../move/move.ts'
import { databaseOf } from '../option-values.ts'
import { schema } from '../schema.ts'
import type { Bulk } from '../store/bulk.ts'
import { openDatabaseBulk, openFileBulk } from '../store/open-bulk.ts'
import { databaseName, keyName, requireDatabase, secureFolder } from '../store/secure-folder.ts'
import { UsageError } from '../usage-error.ts'
import { exitCodes, parseCommand, placeOptions, say, showProgress, untilInterrupted, type Command } from './command.ts'
import { placeOf, type Place } from './place.ts'

/** What `--to` says: to which side, and the PostgreSQL that it or DATABASE_URL names. */
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

const openKnownFile = async ({ dataDir }: Place): Promise<Bulk> => openFileBulk(requireDatabase(dataDir))

const openNewFile = async ({ dataDir }: Place): Promise<Bulk> => {
  secureFolder(dataDir)
  return openFileBulk(join(dataDir, databaseName))
}

const hintsOf = (isToFile: boolean, dataDir: string): string[] => {
  if (!isToFile) return ['Set DATABASE_URL to that address and start the server with the same data folder.']
  const hint = 'Unset DATABASE_URL and start the server.'
  if (existsSync(join(dataDir, keyName))) return [hint]
  return [`Copy what else is in the other data folder, ${keyName} above all, to ${dataDir}.`, hint]
}

const move = async (to: string, place: Place): Promise<number> => {
  const { isToFile, databaseUrl } = directionOf(to, place.databaseUrl)
  const openServer = () => openDatabaseBulk(databaseUrl)
  await using source = await (isToFile ? openServer() : openKnownFile(place))
  await using target = await (isToFile ? openNewFile(place) : openServer())
  const sums = await moveSite(source, target, {
    schema,
    now: Date.now,
    signal: untilInterrupted(),
    report: say,
    onProgress: ({ table, done, of }) => showProgress(`${table}: ${done} of ${of} rows`, done >= of),
  })
  if (sums === undefined) {
    say('Stopped. Run it again to go on; "sightline migrate --undo" takes the source back instead.')
    return exitCodes.stopped
  }
  say(`${source.place} was moved to ${target.place}.`)
  for (const line of hintsOf(isToFile, place.dataDir)) say(line)
  return exitCodes.done
}

const undo = async (place: Place): Promise<number> => {
  const { databaseUrl } = place
  await using database = await (databaseUrl === undefined ? openKnownFile(place) : openDatabaseBulk(databaseUrl))
  const to = await takeBack(database)
  say(`A server can start on it again. What is in ${to} stays there: remove it before you move again.`)
  return exitCodes.done
}

export const migrate: Command = {
  summary: 'Moves all that the database knows to PostgreSQL, or back to a file, while the server is stopped',
  usage: `Usage: sightline migrate --to postgres|ADDRESS|sqlite [--config FILE] [--data-dir DIR]
       sightline migrate --undo [--config FILE] [--data-dir DIR]
  --to postgres   from the file in the data folder to the empty PostgreSQL database that DATABASE_URL names, or
                  that ADDRESS does (postgres://user@host/name; with the password in PGPASSWORD nobody sees it)
  --to sqlite     from the PostgreSQL that DATABASE_URL names to a data folder without a database
  --undo          lets a server start again on the database that the options name, after it was moved elsewhere
  The recordings and server.key stay where they are. Ctrl-C stops it; the next run goes on. At the end every row of both
  is compared. No server starts on the source after that, or on a target that isn't complete.
  Exit codes: 0 done, 1 it failed, 2 it can't begin, 130 it was stopped.`,
  run: async (args, env) => {
    const options = { ...placeOptions, to: { type: 'string' }, undo: { type: 'boolean' } } as const
    const { values } = parseCommand(args, options)
    if ((values.to === undefined) === (values.undo === undefined)) throw new UsageError('migrate takes --to or --undo')
    const place = placeOf(values, env)
    return values.to === undefined ? undo(place) : move(values.to, place)
  },
}
