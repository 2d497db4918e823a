import { existsSync } from 'node:fs'
import process from 'node:process'
import { archiveFolder } from '../storage/folders.ts'
import { isNotable } from '../archive/repair-result.ts'
import { repairArchive } from '../archive/repair.ts'
import { UsageError } from '../usage-error.ts'
import { openArchiveStore } from './archive-store.ts'
import { exitCodes, parseCommand, dataFlags, print, showProgress, untilInterrupted, type Command } from './command.ts'
import { dataOptionsOf } from './data-options.ts'

export const repair: Command = {
  summary: 'Makes the index again from the recordings, while the server is stopped',
  usage: `Usage: sightline repair [--config FILE] [--data-dir DIR]
  The server must not run. Ctrl-C stops it after the hour in work; the next run goes on.
  Exit codes: 0 the index is complete, 1 it failed, 2 it can't begin, 130 it was stopped.`,
  run: async (args, env) => {
    const { values } = parseCommand(args, dataFlags)
    const { dataDir, archiveDirs, archiveUrl, databaseUrl } = dataOptionsOf(values, env)
    if (!existsSync(archiveFolder(dataDir))) throw new UsageError(`There is no archive in ${dataDir}`)
    const signal = untilInterrupted()
    const store = await openArchiveStore({ dataDir, databaseUrl })
    const found = await repairArchive({
      store,
      dataDir,
      archiveDirs,
      archiveUrl,
      warn: (detail, message) => process.stderr.write(`${message}: ${JSON.stringify(detail)}\n`),
      now: Date.now,
      signal,
      onProgress: ({ uid, done, of }) => showProgress(`${uid}: ${done} of ${of} hours`, done === of),
    })
    await store.close()
    for (const [uid, repaired] of found) {
      if (!isNotable(repaired)) continue
      const { restored, rows, aside, failed } = repaired
      print(
        `${uid}: ${restored} segments indexed, ${rows} rows without a file removed, ` +
          `${aside.length} files moved to lost+found, ${failed.length} files not read`,
      )
    }
    print(signal.aborted ? 'Stopped; run it again to go on.' : 'The index is complete.')
    return signal.aborted ? exitCodes.stopped : exitCodes.done
  },
}
