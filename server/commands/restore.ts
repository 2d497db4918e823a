import { resolve } from 'node:path'
import { restoreBackup } from '../backup/restore.ts'
import { UsageError } from '../usage-error.ts'
import { exitCodes, parseCommand, dataFlags, print, untilInterrupted, type Command } from './command.ts'
import { dataOptionsOf } from './data-options.ts'

export const restore: Command = {
  summary: 'Puts a backup into a new data folder, and looks for the recordings',
  usage: `Usage: sightline restore FOLDER [--config FILE] [--data-dir DIR]
  FOLDER is a backup; every file of it is compared before anything is written. The data folder must have no database.
  A backup of a PostgreSQL goes, by pg_restore, to the empty one that DATABASE_URL names; a data folder that has the
  keys of the backup already may be the old one.
  Bring the recordings back before the server starts, or it takes those that are absent for lost.
  Exit codes: 0 done, 1 the backup is damaged or it failed, 2 it can't begin, 130 it was stopped, and changed nothing.`,
  run: async (args, env) => {
    const { values, positionals } = parseCommand(args, dataFlags, { allowPositionals: true })
    const [folder, more] = positionals
    if (folder === undefined || more !== undefined) throw new UsageError('restore takes the folder of a backup')
    const data = dataOptionsOf(values, env)
    const found = await restoreBackup(resolve(folder), data, { signal: untilInterrupted(), report: print })
    if (found === undefined) {
      print('Stopped; nothing was changed.')
      return exitCodes.stopped
    }
    print(
      data.databaseUrl === undefined
        ? `${data.dataDir} has the database and the keys of the backup.`
        : `PostgreSQL has the database of the backup, ${data.dataDir} the keys.`,
    )
    for (const { path, chunks, there, list } of found) {
      const missing = there < chunks ? ` Before the start, copy those of ${list}` : ''
      print(`${there} of ${chunks} chunks are in ${path}.${missing}`)
    }
    return exitCodes.done
  },
}
