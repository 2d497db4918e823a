import type { HealthWarning, ServerContext } from '../../context.ts'
import type { Site } from '../../streams/site.ts'
import type { Volume } from '../../storage/volumes.ts'
import { tryToWrite } from '../../storage/volume-files.ts'
import { totalBytesOf } from '../index/recordings.ts'

/** The server is ready if at least one volume accepts a file. */
export const checkVolumes = (
  { readyChecks }: Pick<ServerContext, 'readyChecks'>,
  { volumes }: Pick<Site, 'volumes'>,
): void => {
  readyChecks.push({
    name: 'archive',
    isOk: async () => {
      const there = volumes.folders().filter(({ isListed }) => isListed)
      const tries = await Promise.allSettled(there.map(({ path }) => tryToWrite(path)))
      return tries.some(({ status }) => status === 'fulfilled')
    },
  })
}

/** Warns of missing volumes (with the size of what they have), of volumes that accept no files, and if none does. */
export const warnOfVolumes = ({ healthSources }: Pick<ServerContext, 'healthSources'>, site: Site): void => {
  const { index, volumes } = site
  const bytesOn = async (volume: number): Promise<number> => totalBytesOf(await index.totalsOn(volume))

  healthSources.push(async (): Promise<HealthWarning[]> => {
    const all = volumes.all()
    const isUnmounted = ({ id }: Pick<Volume, 'id'>): boolean => volumes.unmountedSince(id) !== undefined
    if (all.length === 1 && !all.some(isUnmounted)) return []
    const missing = all.filter((volume) => volume.state === 'missing' || isUnmounted(volume))
    const unwritable = all.filter(({ state }) => state === 'unwritable')
    const lost = await Promise.all(missing.map(async ({ id, path }) => ({ path, bytes: await bytesOn(id) })))
    const isNone = all.every(({ isListed, isBucket, state }) => !isListed || isBucket || state !== 'there')
    const warnings: HealthWarning[] = [
      ...(lost.length > 0 ? [{ code: 'ARCHIVE_VOLUME_MISSING', volumes: lost }] : []),
      ...(unwritable.length > 0
        ? [{ code: 'ARCHIVE_VOLUME_UNWRITABLE', volumes: unwritable.map(({ path }) => ({ path, bytes: 0 })) }]
        : []),
      ...(isNone ? [{ code: 'ARCHIVE_NO_VOLUME' }] : []),
    ]
    return warnings.map((warning) => ({ ...warning, isPrivate: true }))
  })
}
