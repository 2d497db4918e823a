import * as z from 'zod/mini'
import { MasksBody } from '../../src/api/contract/masks.ts'
import { Stream } from '../../src/api/contract/stream.ts'
import type { ServerContext } from '../context.ts'
import { notFound } from '../http/api-error.ts'
import type { App } from '../http/fastify.ts'
import { propertyOf } from '../property-of.ts'
import type { Site } from './site.ts'
import { streamViews } from './stream-view.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Sends video as it is recorded: without privacy masks. */
    isUnmasked?: boolean
  }
}

const Uid = z.object({ uid: z.string() })

const hasMasks = (site: Site, uid: string): boolean => (site.store.find(uid)?.masks ?? []).length > 0

/** The privacy masks of a stream (docs/wire.md §6, `masks`). */
export const maskRoutes = (app: App, context: ServerContext, site: Site): void => {
  context.features.add('masks')

  // Visitors of a share get only what has the masks burned in. Decided here, also for what another node answers.
  app.addHook('onRequest', async ({ caller, params, routeOptions: { config } }) => {
    if (config.isUnmasked !== true || caller.kind !== 'share') return
    const uid = propertyOf(params, 'uid')
    // Not 403, after which players give up: with the next playlist they go on.
    if (typeof uid === 'string' && hasMasks(site, uid)) throw notFound()
  })

  app.put(
    '/v1/stream/:uid/masks',
    {
      config: { access: { to: 'admin', from: 'params.uid' } },
      schema: { tags: ['streams'], params: Uid, body: MasksBody, response: { 200: Stream } },
    },
    async ({ params: { uid }, body: { masks }, caller }) => {
      const row = await site.change(uid, (before) => ({ ...before, masks }))
      const [view] = await streamViews(context, site, caller, [row])
      if (view === undefined) throw notFound()
      return view
    },
  )
}
