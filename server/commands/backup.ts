import { makeBackup } from '../backup/backup.ts'
import { UsageError } from '../usage-error.ts'
import { exitCodes, parseCommand, dataFlags, print, untilInterrupted, type Command } from './command.ts'
import { dataOptionsOf } from './data-options.ts'

export const backup: Command = {
  summary: 'Copies database, key and the list of recordings, also while the server runs',
  usage: `Usage: sightline backup FOLDER [--config FILE] [--data-dir DIR]
  FOLDER must not be there yet; it gets its name once all of the backup is in it. The recordings themselves are files
  that never change: chunks-0.txt lists those of the data folder, chunks-1.txt those of the first volume and so on, e.g.
    rsync -a --files-from=FOLDER/chunks-0.txt DIR/archive/ elsewhere:/archive/
  With DATABASE_URL it is the PostgreSQL, by pg_dump, which must be installed, and the keys of the data folder.
  Keep the backup as you keep passwords. The configuration file isn't in it.
  Exit codes: 0 done, 1 it failed, 2 it can't begin, 130 it was stopped, and left nothing.`,
  run: async (args, env) => {
    const { values, positionals } = parseCommand(args, dataFlags, { allowPositionals: true })
    const [folder, more] = positionals
    if (folder === undefined || more !== undefined) throw new UsageError('backup takes the folder to write')
    const made = await makeBackup(dataOptionsOf(values, env), folder, { signal: untilInterrupted(), report: print })
    if (made === undefined) {
      print('Stopped; nothing is left of it.')
      return exitCodes.stopped
    }
    const bytes = made.files.reduce((sum, file) => sum + file.bytes, 0)
    const chunks = made.volumes.reduce((sum, volume) => sum + volume.chunks, 0)
    print(`${folder} has the backup: ${Math.ceil(bytes / 1e6)} MB, and the list of ${chunks} chunks.`)
    return exitCodes.done
  },
}
