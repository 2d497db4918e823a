import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { archiveFolder } from '../storage/folders.ts'
import { isNotable, type RepairResult } from '../archive/repair/repair-result.ts'
import { repairArchive } from '../archive/repair/repair.ts'
import { standInFor } from '../cluster/stand-in.ts'
import { nonEmpty } from '../option-values.ts'
import { schema } from '../schema.ts'
import { lockForCommand } from '../store/data-lock.ts'
import { openDatabaseOf } from '../store/open.ts'
import { databaseName } from '../store/secure-folder.ts'
import { UsageError, WrongArguments } from '../usage-error.ts'
import { exitCodes, parseCommand, dataFlags, print, showProgress, stopSignal, warn, type Command } from './command.ts'
import { dataOptionsOf, type DataOptions } from './data-options.ts'
import { forgetLostVolume } from './forget-volume.ts'

const report = (results: ReadonlyMap<string, RepairResult>, isStopped: boolean): number => {
  // A file that fails is tried more than once.
  const notRead = new Set([...results].flatMap(([uid, { failed }]) => failed.map((file) => `${uid}/${file}`)))
  for (const [uid, result] of results) {
    if (!isNotable(result)) continue
    const { restored, removedRows, movedFiles, failed } = result
    print(
      `${uid}: ${restored} segments indexed, ${removedRows} rows without a file removed, ` +
        `${movedFiles.length} files moved to lost+found, ${new Set(failed).size} files not read`,
    )
  }
  for (const file of notRead) process.stderr.write(`Not read: ${file}\n`)
  if (isStopped) {
    print('Stopped. Run it again to go on.')
    return exitCodes.stopped
  }
  if (notRead.size > 0) {
    print('The index lacks the files that could not be read.')
    return exitCodes.failed
  }
  print('The index is complete.')
  return exitCodes.done
}

/**
 * A folder that was mistyped must not get a database. The data folder of a restored backup has no archive, if its
 * recordings are on volumes or in a bucket.
 */
const requireArchive = ({ dataDir, archiveDirs, archiveUrl, databaseUrl }: DataOptions): void => {
  const isElsewhere = archiveUrl !== undefined || archiveDirs.some((path) => existsSync(path))
  const isKnown = databaseUrl !== undefined || existsSync(dataDir)
  if (existsSync(archiveFolder(dataDir)) || (isElsewhere && isKnown)) return
  throw new UsageError(`There is no archive in ${dataDir}`)
}

export const repair: Command = {
  summary: 'Rebuilds the index from the recordings, while the server is stopped',
  usage: `Usage: sightline repair [--config FILE] [--data-dir DIR]
       sightline repair --forget-volume DIR [--yes] [--config FILE] [--data-dir DIR]
  Stop the server first; the other nodes of a cluster may run. Ctrl-C stops the repair once the current hour of
  recordings is done; run it again to go on.
  --forget-volume DIR  prints which recordings were on a folder of ARCHIVE_DIRS (or a bucket) that is gone for good;
                       with --yes removes them and the volume from the index. No file is deleted.
  Exit codes: 0 the index is complete, 1 failed, or files could not be read, 2 wrong arguments or configuration,
  130 stopped.`,
  run: async (args, env) => {
    const options = { ...dataFlags, 'forget-volume': { type: 'string' }, yes: { type: 'boolean' } } as const
    const { 'forget-volume': forgotten, yes: isConfirmed = false, ...values } = parseCommand(args, options).values
    if (isConfirmed && forgotten === undefined) throw new WrongArguments('--yes goes with --forget-volume')
    const data = dataOptionsOf(values, env)
    requireArchive(data)
    const { dataDir, archiveDirs, archiveUrl, databaseUrl, variables } = data
    const release = lockForCommand(dataDir)
    const signal = stopSignal()
    const store = await openDatabaseOf(join(dataDir, databaseName), { databaseUrl }, schema)
    try {
      const nodeId = nonEmpty(variables['NODE_ID'])
      const cluster = databaseUrl === undefined ? undefined : await standInFor(store, nodeId)
      if (forgotten !== undefined) {
        const asked = { name: forgotten, isConfirmed }
        return await forgetLostVolume(store, asked, { archiveDirs, archiveUrl }, cluster)
      }
      const results = await repairArchive({
        store,
        dataDir,
        archiveDirs,
        archiveUrl,
        cluster,
        warn,
        now: Date.now,
        signal,
        onProgress: ({ uid, done, of }) => showProgress(`${uid}: ${done} of ${of} hours`, done === of),
      })
      return report(results, signal.aborted)
    } finally {
      await store.close()
      release()
    }
  },
}
