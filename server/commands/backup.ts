import { makeBackup } from '../backup/backup.ts'
import { WrongArguments } from '../usage-error.ts'
import { exitCodes, parseCommand, dataFlags, print, showProgress, stopSignal, type Command } from './command.ts'
import { dataOptionsOf } from './data-options.ts'

export const backup: Command = {
  summary: 'Copies the database, the keys and a list of the recordings, also while the server runs',
  usage: `Usage: sightline backup FOLDER [--config FILE] [--data-dir DIR]
  FOLDER must not exist; it appears once the backup is complete. The backup doesn't contain the recordings. Their files
  never change: chunks-0.txt lists those in the data folder, chunks-1.txt those on the first volume and so on. Copy them
  with, for instance,
    rsync -a --ignore-missing-args --files-from=FOLDER/chunks-0.txt DIR/archive/ elsewhere:/archive/
  With DATABASE_URL, pg_dump copies the PostgreSQL database; it must be installed. The keys come from the data folder.
  Protect the backup like a password. It doesn't contain the configuration file.
  Exit codes: 0 done, 1 failed, 2 wrong arguments or configuration, 130 stopped, and the partial backup deleted.`,
  run: async (args, env) => {
    const { values, positionals } = parseCommand(args, dataFlags, { allowPositionals: true })
    const [folder, more] = positionals
    if (folder === undefined || more !== undefined) throw new WrongArguments('backup takes the folder to write')
    const made = await makeBackup(dataOptionsOf(values, env), folder, {
      signal: stopSignal(),
      report: print,
      onProgress: ({ done, of }) => showProgress(`${done} of ${of} recordings listed`, done === of),
    })
    if (made === undefined) {
      print('Stopped. The partial backup was deleted.')
      return exitCodes.stopped
    }
    const bytes = made.files.reduce((sum, file) => sum + file.bytes, 0)
    const chunks = made.volumes.reduce((sum, volume) => sum + volume.chunks, 0)
    print(`The backup is in ${folder}: ${Math.ceil(bytes / 1e6)} MB, and a list of ${chunks} chunks.`)
    return exitCodes.done
  },
}
