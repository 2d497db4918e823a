import * as z from 'zod/mini'
import { Share, ShareOptionsBody, ShareUnlockBody, ShareUnlocked } from '../../src/api/contract/stream.ts'
import { nothing } from '../../src/api/contract/wire.ts'
import type { SharedRange } from '../access/shares.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/fastify.ts'
import { notFound, tooManyRequests, validationError } from '../http/api-error.ts'
import { hashPassword, verifyPassword } from '../users/password.ts'
import { createSharedThrottle } from '../users/shared-throttle.ts'
import { createVisitorThrottle, visitorOf } from '../users/visitors.ts'

const tags = ['streams']
const config = { access: { to: 'admin', from: 'params.uid' } } as const
const Uid = z.object({ uid: z.string() })
/** Replaces the password in answers; a body that sends it back leaves the password as it is. */
const mask = '***'
const minPasswordLength = 8
const hourSeconds = 3600

const atMost = (seconds: number): string =>
  seconds % hourSeconds === 0 ? `At most ${seconds / hourSeconds} hours` : `At most ${Math.floor(seconds / 60)} minutes`

type Body = z.output<typeof ShareOptionsBody>

/** Throws a ValidationError unless both ends are given, or none, in order, in the past and not too far apart. */
const rangeOf = (
  { startTime, endTime, live = false }: Body,
  { now, maxSeconds }: { now: number; maxSeconds: number },
): SharedRange | null => {
  const [from, to] = [startTime ?? undefined, endTime ?? undefined]
  if (from === undefined && to === undefined) return null
  if (from === undefined) throw validationError({ startTime: 'Required' })
  if (to === undefined) throw validationError({ endTime: 'Required' })
  if (from >= now) throw validationError({ startTime: 'In the future' })
  if (to > now) throw validationError({ endTime: 'In the future' })
  if (to <= from) throw validationError({ endTime: 'Must be after the start' })
  if (to - from > maxSeconds * 1000) throw validationError({ endTime: atMost(maxSeconds) })
  return { from, to, hasLive: live }
}

/** Public access to a stream: its link, when it expires, its password, and the range of the archive that it shows. */
export const shareRoutes = (app: App, context: ServerContext): void => {
  const { shares, features, hosts, settings, store, now } = context
  features.add('share-options').add('share-range')
  const visitors = createVisitorThrottle(context, 'share')
  const attempts = createSharedThrottle(context, { name: 'share', capacity: 30, refillMs: 30_000 })

  const answerOf = async (uid: string): Promise<z.output<typeof Share>> => {
    const token = await shares.open(uid)
    const { expireTime = null, passwordHash = '', range = null } = (await shares.optionsOf(uid)) ?? {}
    return {
      url: `${app.basePath}/ui/stream/${encodeURIComponent(uid)}/view#token=${token}`,
      token,
      ...(expireTime === null ? {} : { expireTime }),
      ...(passwordHash === '' ? {} : { password: mask }),
      ...(range === null ? {} : { startTime: range.from, endTime: range.to, live: range.hasLive }),
    }
  }

  app.get(
    '/v1/stream/:uid/share',
    {
      // HEAD would open the share, too.
      exposeHeadRoute: false,
      config: { ...config, changes: true },
      schema: { tags, params: Uid, response: { 200: Share } },
    },
    async ({ params }) => answerOf(params.uid),
  )

  app.put(
    '/v1/stream/:uid/share',
    { config, schema: { tags, params: Uid, body: ShareOptionsBody, response: { 200: Share } } },
    async ({ params: { uid }, body }) => {
      const { expireTime = null, password = '' } = body
      if (expireTime !== null && expireTime <= now()) throw validationError({ expireTime: 'Must be in the future' })
      if (password !== '' && password !== mask && password.length < minPasswordLength) {
        throw validationError({ password: `At least ${minPasswordLength} characters` })
      }
      const range = rangeOf(body, { now: now(), maxSeconds: settings.playlistMaxSeconds })
      const newHash = password === '' || password === mask ? '' : await hashPassword(password)
      // In one step: a share that is withdrawn meanwhile must not open again without these options.
      return store.transaction(async () => {
        await shares.open(uid)
        const passwordHash = password === mask ? ((await shares.optionsOf(uid))?.passwordHash ?? '') : newHash
        // The share with the password that the body keeps has expired or was withdrawn.
        if (password === mask && passwordHash === '') throw validationError({ password: 'Enter the password again' })
        await shares.change(uid, { expireTime, passwordHash, range })
        return answerOf(uid)
      })
    },
  )

  app.delete(
    '/v1/stream/:uid/share',
    { config, schema: { tags, params: Uid, response: { 200: nothing } } },
    async ({ params }) => {
      await shares.close(params.uid)
      return {}
    },
  )

  app.post(
    '/v1/stream/:uid/share/unlock',
    {
      config: { access: { to: 'anyone' } },
      schema: { tags, params: Uid, body: ShareUnlockBody, response: { 200: ShareUnlocked } },
    },
    async (request) => {
      const { uid } = request.params
      const { token, password } = request.body
      if ((await shares.find(token))?.uid !== uid) throw notFound()
      const visitor = visitorOf(request, hosts)
      const wait = await visitors.take(visitor)
      if (wait !== undefined) throw tooManyRequests(wait)
      const shareWait = await attempts.take(uid)
      if (shareWait !== undefined) throw tooManyRequests(shareWait)
      const { passwordHash = '' } = (await shares.optionsOf(uid)) ?? {}
      if (!(await verifyPassword(password, passwordHash, false))) throw validationError({ password: 'Wrong password' })
      const proven = await shares.provePassword(token, passwordHash)
      if (proven === undefined) throw notFound()
      await visitors.giveBack(visitor)
      await attempts.giveBack(uid)
      return { token: proven }
    },
  )
}
