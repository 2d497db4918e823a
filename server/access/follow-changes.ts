import type { ServerContext } from '../context.ts'
import { guarded } from '../guarded.ts'
import type { App } from '../http/fastify.ts'
import { ignoreDiskErrors } from '../store/background-writes.ts'
import { followDatabase } from '../store/open.ts'
import { accessTables, type Revocation } from './revocation.ts'

const checkEveryMs = 1000

/** Notices within a second that another process wrote to the SQLite file, as commands do that set a password. */
const watchFile = (app: App, check: () => Promise<boolean>, note: () => void): void => {
  let isBusy = false
  const look = async (): Promise<void> => {
    if (isBusy) return
    isBusy = true
    await ignoreDiskErrors(async () => {
      if (await check()) note()
    }).finally(() => {
      isBusy = false
    })
  }
  const timer = setInterval(guarded('access: external changes', look), checkEveryMs).unref()
  app.addHook('onClose', () => clearInterval(timer))
}

/**
 * Follows what other processes write to the database: responses in progress are checked again, and the nodes of a
 * cluster use the same configuration and licence.
 */
export const followChanges = async (
  app: App,
  { store, changes, cluster, configuration, license }: ServerContext,
  revocation: Revocation,
  databaseUrl: string | undefined,
): Promise<void> => {
  const { checkOutsideWrites } = store
  for (const table of accessTables) changes.follow([table], async () => store.noteOutsideWrite(table))
  changes.follow(accessTables, () => revocation.decideAgain())
  if (checkOutsideWrites !== undefined) {
    await checkOutsideWrites()
    watchFile(app, checkOutsideWrites, () => changes.note())
  }
  if (!cluster.isShared) return
  changes.follow(['configuration_versions'], async () => {
    await configuration.reload()
    // Who needs a second factor may have changed.
    await revocation.decideAgain()
  })
  changes.follow(['licence'], async () => {
    await license.reload()
    await revocation.decideAgain()
  })
  if (databaseUrl === undefined) return
  let stop: (() => Promise<void>) | undefined
  app.addHook('onReady', async () => {
    stop = await followDatabase(databaseUrl, changes.tables(), changes.note)
  })
  app.addHook('onClose', async () => stop?.())
}
