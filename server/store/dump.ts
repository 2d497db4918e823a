/** Writes the database that DATABASE_URL names to an existing file, while servers use it. */
export const dumpDatabase = async (databaseUrl: string, file: string, signal: AbortSignal): Promise<void> => {
  const { dumpPostgres } = await import('./postgres/dump.ts')
  await dumpPostgres(databaseUrl, file, signal)
}

/** Reads such a file into an empty database, all of it or nothing. */
export const restoreDump = async (databaseUrl: string, file: string, signal: AbortSignal): Promise<void> => {
  const { restorePostgres } = await import('./postgres/dump.ts')
  await restorePostgres(databaseUrl, file, signal)
}
