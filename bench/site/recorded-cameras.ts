import type { Figure } from '../figures.ts'
import { openCallSession, startServer, type Server } from '../server.ts'
import { addCameras, siteEnvironment, untilAllRun, type Site } from './recording.ts'
import { startCameras, type Picture } from './rtsp-cameras.ts'

type Recorded = Site & { server: Server; uids: readonly string[] }

/** `measure` gets cameras, and the server that records them. */
export const withRecordedCameras = async (
  isBuilt: boolean,
  { picture, count }: { picture: Picture; count: number },
  measure: (site: Recorded) => Promise<Figure[]>,
): Promise<Figure[]> => {
  const cameras = await startCameras(picture)
  const server = await startServer(isBuilt, { hasDemo: false, env: siteEnvironment })
  try {
    const site = { cameras, ask: await openCallSession(server) }
    const uids: string[] = []
    await addCameras(site, uids, count)
    await untilAllRun(site, count)
    return await measure({ ...site, server, uids })
  } finally {
    await server.stop()
    cameras.stop()
  }
}
