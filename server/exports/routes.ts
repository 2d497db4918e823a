import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import * as z from 'zod/mini'
import { Export, ExportCreated, ExportBody, Exports } from '../../src/api/contract/exports.ts'
import { nothing } from '../../src/api/contract/wire.ts'
import { signedIn } from '../access/gate.ts'
import { mayDownload } from '../access/stream-rights.ts'
import { attachmentOf, fileTime } from '../archive/playback/download.ts'
import { sendHead, sendPieces, type Sending } from '../archive/playback/sending.ts'
import type { Retention } from '../archive/retention/retention.ts'
import type { ServerContext } from '../context.ts'
import { ApiError, notFound, timeRangeIsTooLong, validationError } from '../http/api-error.ts'
import { callerKey } from '../http/caller-key.ts'
import type { App } from '../http/fastify.ts'
import { isNotModified } from '../http/http-cache.ts'
import type { Site } from '../streams/site.ts'
import { isTimezone } from '../time-zone.ts'
import { byteRange, type ByteRange } from './byte-range.ts'
import { holderElsewhere } from '../cluster/cluster.ts'
import { passFile } from '../cluster/pass-file.ts'
import { recentMs } from '../cluster/passing-on.ts'
import { createExportStore, type Item, type StoredExport } from './export-store.ts'
import { endsInGrowingSegment } from './growing.ts'
import { createExportQueue, type ExportQueue } from './queue.ts'
import { readSigningKey } from './signing-key.ts'

const tags = ['exports']
const Id = z.object({ id: z.string() })
const config = { access: { to: 'user' } } as const
const ofExport = { access: { to: 'export', from: 'params.id' } } as const

/** Opens the file at the first read: for a client that is gone by then, it would stay open. */
const piecesOf = async function* (path: string, { from, to }: ByteRange): AsyncGenerator<Buffer> {
  yield* createReadStream(path, { start: from, end: to - 1 })
}

export const exportRoutes = async (
  app: App,
  context: ServerContext,
  site: Site,
  sending: Sending,
  retention: Pick<Retention, 'makeSpace'>,
): Promise<ExportQueue> => {
  const { access, settings, cluster, nodeCalls, now } = context
  context.features.add('exports')
  const exports = createExportStore(context.store, cluster.isShared ? cluster.nodeId : '')
  const key = readSigningKey(context.dataDir)
  const queue = createExportQueue(context, site, exports, key, retention)

  const answerOf = (entry: StoredExport) => ({
    id: entry.id,
    status: entry.status,
    progress: entry.status === 'ready' ? 1 : (queue.progressOf(entry.id) ?? 0),
    bytes: entry.bytes,
    items: entry.items.map(({ uid, name, start, finish }) => ({
      streamId: uid,
      streamName: name,
      startTime: start,
      endTime: finish,
    })),
    sha256: entry.sha256,
    note: entry.note,
    overlay: entry.overlay,
    login: entry.login,
    failureReason: entry.reason,
    createTime: entry.created,
    ...(entry.expires === 0 ? {} : { expireTime: entry.expires }),
  })

  const requireExport = async (id: string): Promise<StoredExport> => {
    const entry = await exports.find(id)
    if (entry === undefined) throw notFound()
    return entry
  }

  app.get('/v1/exports', { config, schema: { tags, response: { 200: Exports } } }, async (request) => {
    const { isAdmin, login } = signedIn(request)
    const all = await exports.list(isAdmin ? undefined : login)
    const uids = [...new Set(all.flatMap(({ items }) => items.map(({ uid }) => uid)))]
    const rights = await access.rightsTo(request.caller, uids)
    const isShown = ({ uid }: Item): boolean => site.store.find(uid) === undefined || mayDownload(rights.get(uid))
    return {
      items: all.filter(({ items }) => items.every(isShown)).map(answerOf),
      publicKey: key.publicKey,
    }
  })

  app.post(
    '/v1/exports',
    { config, schema: { tags, body: ExportBody, response: { 200: ExportCreated } } },
    async (request) => {
      const { login } = signedIn(request)
      const { items, note, overlay, timezone } = request.body
      if (!isTimezone(timezone)) throw validationError({ timezone: 'Unknown time zone' })
      const requested: Item[] = []
      for (const [position, { streamId: uid, startTime: start, endTime }] of items.entries()) {
        await access.require(request.caller, { to: 'downloadArchive', uid })
        const stream = site.store.find(uid)
        if (stream === undefined) throw notFound()
        const finish = Math.min(endTime, now())
        if (endTime <= start) throw validationError({ [`items.${position}.endTime`]: 'Not after the start' })
        if (finish <= start) throw validationError({ [`items.${position}.endTime`]: 'In the future' })
        if (finish - start > settings.archiveDownloadMaxSeconds * 1000)
          throw timeRangeIsTooLong(settings.archiveDownloadMaxSeconds)
        // The newest recordings aren't indexed yet: those of another node, and the segment that still grows.
        const mayComeLater =
          (finish > now() - recentMs && holderElsewhere(cluster, uid) !== undefined) ||
          (await endsInGrowingSegment(site, { uid, finish }, now()))
        if (!mayComeLater && !(await site.index.isRecorded(uid, start, finish)))
          throw validationError({ [`items.${position}.startTime`]: 'Nothing is recorded in this time' })
        requested.push({ uid, name: stream.name, start, finish, masks: stream.masks ?? [] })
      }
      const id = await exports.add({ login, note, overlay, timezone, created: now(), items: requested })
      queue.add(await requireExport(id))
      return { id }
    },
  )

  app.get(
    '/v1/export/:id',
    { config: ofExport, schema: { tags, params: Id, response: { 200: Export } } },
    async (request) => answerOf(await requireExport(request.params.id)),
  )

  app.delete(
    '/v1/export/:id',
    { config: ofExport, schema: { tags, params: Id, response: { 200: nothing } } },
    async (request) => {
      await queue.remove((await requireExport(request.params.id)).id)
      return {}
    },
  )

  app.get('/v1/export/:id/file', { config: ofExport, schema: { tags, params: Id } }, async (request, reply) => {
    const { id, status, sha256, created, node } = await requireExport(request.params.id)
    const reserve = (): void => sending.downloads.reserve(callerKey(request), reply)
    if (nodeCalls !== undefined && node !== '' && node !== cluster.nodeId && request.passedOn === undefined) {
      if (request.method !== 'HEAD') reserve()
      return passFile(nodeCalls, node, request, reply)
    }
    const path = queue.pathOf(id)
    const size = status === 'ready' ? (await stat(path).catch(() => undefined))?.size : undefined
    if (size === undefined) throw notFound()
    const isUnchanged = isNotModified(reply, sha256)
    reply.header('accept-ranges', 'bytes')
    if (isUnchanged) return reply.send()
    const { range: header, 'if-range': ifRange } = request.headers
    // A client that has a part of another file gets the whole file.
    const range = ifRange === undefined || ifRange === `"${sha256}"` ? byteRange(header, size) : undefined
    if (range === 'none') {
      reply.header('content-range', `bytes */${size}`)
      throw new ApiError(416, 'RequestDecodeError')
    }
    const { from, to } = range ?? { from: 0, to: size }
    if (range !== undefined) reply.code(206).header('content-range', `bytes ${from}-${to - 1}/${size}`)
    reply.type('application/zip').header('content-disposition', attachmentOf(`export ${fileTime(created)}Z.zip`))
    if (request.method === 'HEAD') return sendHead(reply, to - from)
    reserve()
    return sendPieces(reply.header('content-length', to - from), piecesOf(path, { from, to }))
  })
  return queue
}
