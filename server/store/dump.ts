/** Dumps the database of DATABASE_URL to an existing file, also while servers use it. */
export const dumpDatabase = async (databaseUrl: string, file: string, signal: AbortSignal): Promise<void> => {
  const { dumpPostgres } = await import('./postgres/dump.ts')
  await dumpPostgres(databaseUrl, file, signal)
}

/** Restores a dump into an empty database, all or nothing. Resolves to false if it was aborted. */
export const restoreDump = async (databaseUrl: string, file: string, signal: AbortSignal): Promise<boolean> => {
  const { restorePostgres } = await import('./postgres/dump.ts')
  return restorePostgres(databaseUrl, file, signal)
}
