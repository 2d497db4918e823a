import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { isNotable } from '../server/archive/mended.ts'
import { repairArchive } from '../server/archive/repair.ts'
import { archiveDirsOf, databaseOf } from '../server/options.ts'
import { openDatabaseOf } from '../server/store/open.ts'
import { streamsSteps } from '../server/streams/tables.ts'
import { usersSteps } from '../server/users/tables.ts'

/**
 * Rebuilds the index of an archive from its chunks alone (docs/server.md, Archive): `npm run repair -- --data-dir DIR`.
 * The server must not run. Ctrl-C stops it after the hour in work; the next run goes on.
 */
const { values } = parseArgs({ options: { 'data-dir': { type: 'string' } } })
const dataDir = resolve(values['data-dir'] ?? process.env['DATA_DIR'] ?? 'data')
if (!existsSync(join(dataDir, 'archive'))) {
  process.stderr.write(`There is no archive in ${dataDir}\n`)
  process.exit(1)
}
const archiveDirs = archiveDirsOf(process.env['ARCHIVE_DIRS'] || undefined, dataDir)
const stopping = new AbortController()
process.once('SIGINT', () => stopping.abort())
process.once('SIGTERM', () => stopping.abort())

const databaseUrl = databaseOf(process.env['DATABASE_URL'] || undefined)
const store = await openDatabaseOf(join(dataDir, 'sightline.db'), { databaseUrl })
await store.migrate('users', usersSteps)
await store.migrate('streams', streamsSteps)
const found = await repairArchive({
  store,
  dataDir,
  archiveDirs,
  warn: (detail, message) => process.stderr.write(`${message}: ${JSON.stringify(detail)}\n`),
  now: Date.now,
  signal: stopping.signal,
  onProgress: ({ uid, done, of }) => {
    if (process.stdout.isTTY || done === of) process.stdout.write(`${uid}: ${done} of ${of} hours\n`)
  },
})
await store.close()
for (const [uid, mended] of found) {
  if (!isNotable(mended)) continue
  const { brought, rows, aside, failed } = mended
  process.stdout.write(
    `${uid}: ${brought} segments indexed, ${rows} rows without a file removed, ` +
      `${aside.length} files moved to lost+found, ${failed.length} files not read\n`,
  )
}
process.stdout.write(stopping.signal.aborted ? 'Stopped; run it again to go on.\n' : 'The index is complete.\n')
process.exitCode = stopping.signal.aborted ? 130 : 0
