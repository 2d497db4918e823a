import * as z from 'zod/mini'
import { ArchiveLock, ArchiveLockBody, ArchiveLocks } from '../../../src/api/contract/locks.ts'
import { nothing } from '../../../src/api/contract/wire.ts'
import { signedIn } from '../../access/gate.ts'
import type { ServerContext } from '../../context.ts'
import { dayMs } from '../../durations.ts'
import { notFound, validationError } from '../../http/api-error.ts'
import type { App } from '../../http/fastify.ts'
import type { Site } from '../../streams/site.ts'

const tags = ['archive']
const Uid = z.object({ uid: z.string() })
const Id = z.object({ uid: z.string(), id: z.string() })
const config = { access: { to: 'admin', from: 'params.uid' } } as const
/** A range may be locked before it is recorded: its end may be so far ahead. */
const maxAheadMs = dayMs

type Lock = Awaited<ReturnType<Site['locks']['of']>>[number]

const answerOf = ({ id, start, finish, reason, expires, login, created }: Lock) => ({
  id,
  startTime: start,
  endTime: finish,
  reason,
  ...(expires === null ? {} : { expireTime: expires }),
  login,
  createTime: created,
})

export const lockRoutes = (app: App, { features, now }: ServerContext, { locks }: Site): void => {
  features.add('locks')

  app.get(
    '/v1/stream/:uid/archive/locks',
    { config, schema: { tags, params: Uid, response: { 200: ArchiveLocks } } },
    async ({ params }) => ({ items: (await locks.of(params.uid)).map(answerOf) }),
  )

  app.post(
    '/v1/stream/:uid/archive/locks',
    { config, schema: { tags, params: Uid, body: ArchiveLockBody, response: { 200: ArchiveLock } } },
    async (request) => {
      const { startTime: start, endTime: finish, reason, expireTime } = request.body
      if (finish <= start) throw validationError({ endTime: 'Not after the start' })
      if (finish > now() + maxAheadMs) throw validationError({ endTime: 'In the future' })
      const expires = expireTime ?? null
      if (expires !== null && expires <= now()) throw validationError({ expireTime: 'In the past' })
      const { login } = signedIn(request)
      return answerOf(await locks.add(request.params.uid, { start, finish, reason, expires, login }))
    },
  )

  app.delete(
    '/v1/stream/:uid/archive/locks/:id',
    { config, schema: { tags, params: Id, response: { 200: nothing } } },
    async ({ params }) => {
      if (!(await locks.remove(params.uid, params.id))) throw notFound()
      return {}
    },
  )
}
