import * as z from 'zod/mini'
import { MasksBody } from '../../src/api/contract/masks.ts'
import { Stream } from '../../src/api/contract/stream.ts'
import type { ServerContext } from '../context.ts'
import { notFound } from '../http/api-error.ts'
import type { App } from '../http/fastify.ts'
import type { Site } from './site.ts'
import { streamViews } from './stream-view.ts'

const Uid = z.object({ uid: z.string() })

/** The privacy masks of a stream (docs/wire.md §6, `masks`). */
export const maskRoutes = (app: App, context: ServerContext, site: Site): void => {
  context.features.add('masks')

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
