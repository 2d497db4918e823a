import { expect } from 'vitest'
import * as z from 'zod/mini'
import type { ServerOptions } from '../../server/app.ts'
import type { ServerPlugin } from '../../server/context.ts'
import { start, startServer, type Harness } from './harness.ts'

/** The calls of watching, without any video. */
const watching: ServerPlugin = (app) => {
  const uid = 'params.uid'
  const schema = { querystring: z.looseObject({}) }
  const base = '/v1/stream/:uid/archive'
  for (const path of ['live.m3u8', 'live/:name']) {
    app.get(`${base}/${path}`, { config: { access: { to: 'view', from: uid } }, schema }, async () => '')
  }
  for (const path of ['recorded.m3u8', 'recorded/:name', 'download']) {
    app.get(`${base}/${path}`, { config: { access: { to: 'viewArchive', from: uid } }, schema }, async () => '')
  }
  const picture = { config: { access: { to: 'view', from: 'query.stream_id' } }, schema } as const
  app.get('/v1/stream/preview', picture, async (_request, reply) => reply.code(204).send())
  app.get('/v1/stream/:uid/share', { config: { access: { to: 'admin', from: uid }, changes: true } }, async () => ({}))
}

export type AuditServer = Harness & {
  /** The cookie of the administrator `ann`; there are also a user `bob` and a stream `s1`. */
  ann: string
  /** The entries of the log, newest first. */
  log: (query?: string) => Promise<unknown[]>
}

export const auditServer = async (options: Partial<ServerOptions> = {}): Promise<AuditServer> => {
  const harness = await startServer({ plugins: [watching], ...options })
  await harness.addUser('ann', true)
  await harness.addUser('bob')
  await harness.addStream('s1')
  const ann = await harness.signIn('ann')
  const log = async (query = '') => {
    const { body } = await harness.ask('GET', `/v1/admin/audit-logs${query}`, { cookie: ann })
    const items: unknown = Reflect.get(Object(body), 'items')
    return Array.isArray(items) ? items : []
  }
  return { ...harness, ann, log }
}

export const at = (ms: number): string => new Date(start + ms).toISOString()

/** Matches the id of a user. */
export const someId = expect.stringMatching(/^[\w-]{12}$/)
/** An entry of a caller who isn't a user. */
export const noId = { userId: undefined }

export const entry = (id: number, login: string, action: string, target = '', change: object = {}): object => ({
  id: String(id),
  time: at(0),
  login,
  action,
  target,
  name: '',
  ip: '192.0.2.1',
  outcome: 'ok',
  userId: someId,
  ...change,
})
