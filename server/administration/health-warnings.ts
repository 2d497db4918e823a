import type { HealthWarning, ServerContext } from '../context.ts'

/** The warnings of all sources. One that fails, such as that of a disk that can't be read, hides no other. */
export const healthWarnings = async ({
  healthSources,
  log,
}: Pick<ServerContext, 'healthSources' | 'log'>): Promise<HealthWarning[]> => {
  const found = healthSources.map(async (source) => {
    try {
      return await source()
    } catch (error) {
      log.warn({ err: error }, 'some health warnings are missing')
      return []
    }
  })
  return (await Promise.all(found)).flat()
}
