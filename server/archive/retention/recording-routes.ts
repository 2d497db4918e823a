import * as z from 'zod/mini'
import { Recordings } from '../../../src/api/contract/archive.ts'
import { UnlockQuery } from '../../../src/api/contract/stream.ts'
import { nothing } from '../../../src/api/contract/wire.ts'
import type { ServerContext } from '../../context.ts'
import type { App } from '../../http/fastify.ts'
import { notFound } from '../../http/api-error.ts'
import type { Site } from '../../streams/site.ts'
import { requireUnlocked } from './locks.ts'
import { orphanedRecordings } from '../index/orphaned-recordings.ts'

const Uid = z.object({ uid: z.string() })
const config = { access: { to: 'administrator' } } as const
const tags = ['administration']

export const recordingRoutes = (app: App, { features }: ServerContext, site: Site): void => {
  features.add('recordings')

  app.get('/v1/admin/recordings', { config, schema: { tags, response: { 200: Recordings } } }, async () => ({
    items: await orphanedRecordings(site),
  }))

  app.delete(
    '/v1/admin/recordings/:uid',
    { config, schema: { tags, params: Uid, querystring: UnlockQuery, response: { 200: nothing } } },
    async ({ params, query }) => {
      if (!(await orphanedRecordings(site)).some(({ uid }) => uid === params.uid)) throw notFound()
      if (query.unlock !== true) await requireUnlocked(site, params.uid)
      await site.purgeRemoved(params.uid)
      return {}
    },
  )
}
