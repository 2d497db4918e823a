import { resolve } from 'node:path'
import { restoreBackup } from '../backup/restore.ts'
import { WrongArguments } from '../usage-error.ts'
import { exitCodes, parseCommand, dataFlags, print, showProgress, stopSignal, type Command } from './command.ts'
import { dataOptionsOf } from './data-options.ts'

export const restore: Command = {
  summary: 'Restores a backup into a new data folder, and counts the chunks that are there',
  usage: `Usage: sightline restore FOLDER [--config FILE] [--data-dir DIR]
  FOLDER is a backup; its files are verified before anything is written. With SQLite the data folder must
  have neither a database nor keys: stop a server that has made them, and move its folder away.
  pg_restore restores a backup of PostgreSQL into the empty database of DATABASE_URL; the data folder may then be the
  old one, if its keys are those of the backup.
  Copy the recordings back before you start the server, which otherwise removes from its index what has no file.
  Exit codes: 0 done, 1 failed, or the backup is damaged, 2 wrong arguments or configuration, 130 stopped, and nothing
  changed.`,
  run: async (args, env) => {
    const { values, positionals } = parseCommand(args, dataFlags, { allowPositionals: true })
    const [folder, more] = positionals
    if (folder === undefined || more !== undefined) throw new WrongArguments('restore takes the folder of a backup')
    const data = dataOptionsOf(values, env)
    const volumes = await restoreBackup(resolve(folder), data, {
      signal: stopSignal(),
      report: print,
      onProgress: ({ done, of }) => showProgress(`${done} of ${of} chunks checked`, done === of),
    })
    if (volumes === undefined) {
      print('Stopped. Nothing was changed.')
      return exitCodes.stopped
    }
    print(
      data.databaseUrl === undefined
        ? `The database and the keys were restored to ${data.dataDir}.`
        : `The database was restored to PostgreSQL, and the keys to ${data.dataDir}.`,
    )
    for (const { path, chunks, present, list } of volumes) {
      const missing = present < chunks ? ` Before you start the server, copy the chunks that ${list} lists.` : ''
      print(`${present} of ${chunks} chunks are complete in ${path}.${missing}`)
    }
    return exitCodes.done
  },
}
