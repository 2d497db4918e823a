import * as z from 'zod/mini'
import type { ServerContext } from '../../context.ts'
import { notFound, unavailable } from '../../http/api-error.ts'
import type { App } from '../../http/fastify.ts'
import { NoObject } from '../../storage/bucket-errors.ts'
import { StorageAway } from '../../storage/chunk-storage.ts'
import { ignoring } from '../../storage/folders.ts'
import type { Volumes } from '../../storage/volumes.ts'
import { maxSegmentBytes } from '../format/segment.ts'

const wholeNumber = z.coerce.number().check(z.int(), z.gte(0))
const Query = z.object({
  volume: wholeNumber,
  uid: z.string().check(z.regex(/^[\w-][\w.~-]{0,99}$/)),
  file: z.string().check(z.regex(/^(?:[\w-]{1,60}\/\d{1,16}\.mp4|\d{1,16}\.(?:spool|live))$/)),
  offset: wholeNumber,
  bytes: wholeNumber.check(z.lte(maxSegmentBytes)),
})
const path = '/v1/internal/chunk'

/** Reads chunks on the disks of other nodes, and lets other nodes read those on the disks of this one. */
export const exchangeChunks = (
  app: App,
  { nodeCalls }: Pick<ServerContext, 'nodeCalls'>,
  volumes: Pick<Volumes, 'all' | 'isMissing' | 'verify' | 'storage' | 'setNodeReader'>,
): void => {
  if (nodeCalls === undefined) return

  app.get(
    path,
    {
      // Calls under /v1/internal/ reach a route only if a node has signed them.
      config: { access: { to: 'anyone' }, beforeFirstAdministrator: true },
      schema: { hide: true, querystring: Query },
    },
    async ({ query: { volume, uid, file, offset, bytes } }, reply) => {
      if (!volumes.all().some(({ id, isBucket }) => id === volume && !isBucket)) throw notFound()
      if (volumes.isMissing(volume)) throw unavailable()
      const found = await volumes
        .storage(volume)
        .read(uid, file, { offset, bytes })
        .catch(async (error: unknown) => {
          if (error instanceof StorageAway) throw error
          // A disk that went missing since the last check has no files, or can't be read.
          if (!(await volumes.verify(volume))) throw unavailable()
          return ignoring('ENOENT')(error)
        })
      if (found === undefined) throw notFound()
      return reply.type('application/octet-stream').send(found)
    },
  )

  volumes.setNodeReader(async (nodeId, { volume, uid, file }, { offset, bytes }, signal) => {
    const query = new URLSearchParams({
      volume: String(volume),
      uid,
      file,
      offset: String(offset),
      bytes: String(bytes),
    })
    const call = { path: `${path}?${query.toString()}`, ...(signal === undefined ? {} : { signal }) }
    const { status, body } = await nodeCalls.ask(nodeId, call).catch(() => ({ status: 503, body: Buffer.alloc(0) }))
    if (status === 404) throw new NoObject(`Node ${nodeId} has no ${file}`)
    // A node answers 503 while a later try may succeed.
    if (status === 500) throw new Error(`Node ${nodeId} can't read ${file}`)
    if (status !== 200 || body.length !== bytes) throw new StorageAway(`Node ${nodeId} does not answer`)
    return body
  })
}
