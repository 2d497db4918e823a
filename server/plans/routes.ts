import * as z from 'zod/mini'
import { maxPictureBytes, Plan, PlanBody, PlanPatch, Plans } from '../../src/api/contract/plans.ts'
import { nothing } from '../../src/api/contract/wire.ts'
import type { ServerPlugin } from '../context.ts'
import { validationError } from '../http/api-error.ts'
import { isNotModified } from '../http/http-cache.ts'
import { createPlanStore } from './plan-store.ts'

const tags = ['plans']
const Id = z.object({ id: z.string() })
const forAdministrators = { access: { to: 'administrator' } } as const
const forViewers = { access: { to: 'plan', from: 'params.id' } } as const
const pictureTypes = ['image/png', 'image/jpeg', 'image/webp']

/** Floor plans with cameras: changed by administrators, seen by whoever may see one of the cameras. */
export const planRoutes: ServerPlugin = async (app, context) => {
  const { store, features } = context
  features.add('plans')
  const plans = createPlanStore(store)

  app.addContentTypeParser(pictureTypes, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.get(
    '/v1/plans',
    { config: { access: { to: 'user' } }, schema: { tags, response: { 200: Plans } } },
    async ({ caller }) => ({ items: await plans.list(caller) }),
  )

  app.post(
    '/v1/plans',
    { config: forAdministrators, schema: { tags, body: PlanBody, response: { 200: Plan } } },
    async ({ caller, body }) => plans.add(caller, body),
  )

  app.get(
    '/v1/plan/:id',
    { config: forViewers, schema: { tags, params: Id, response: { 200: Plan } } },
    async ({ caller, params }) => {
      const plan = await plans.get(caller, params.id)
      const uids = plan.cameras.map(({ streamId }) => streamId)
      return { ...plan, streams: await context.streams.view(caller, uids) }
    },
  )

  app.patch(
    '/v1/plan/:id',
    { config: forAdministrators, schema: { tags, params: Id, body: PlanPatch, response: { 200: Plan } } },
    async ({ caller, params, body }) => plans.change(caller, params.id, body),
  )

  app.delete(
    '/v1/plan/:id',
    { config: forAdministrators, schema: { tags, params: Id, response: { 200: nothing } } },
    async ({ params }) => {
      await plans.remove(params.id)
      return {}
    },
  )

  app.put(
    '/v1/plan/:id/picture',
    {
      // Bytes, not an object: null members need no removal.
      config: { ...forAdministrators, keepsNulls: true },
      bodyLimit: maxPictureBytes,
      schema: { tags, consumes: pictureTypes, params: Id, response: { 200: Plan } },
    },
    async ({ caller, params, body }) => {
      if (!Buffer.isBuffer(body)) throw validationError({ picture: 'Required' })
      return plans.setPicture(caller, params.id, body)
    },
  )

  app.get(
    '/v1/plan/:id/picture',
    { config: forViewers, schema: { tags, params: Id, produces: pictureTypes } },
    async ({ params }, reply) => {
      const { type, version } = await plans.picture(params.id)
      if (isNotModified(reply, version)) return reply.send()
      return reply.type(type).send(await plans.bytes(params.id))
    },
  )
}
