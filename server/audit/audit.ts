import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/fastify.ts'
import { guarded } from '../guarded.ts'
import { apiErrorOf } from '../http/errors.ts'
import { unavailable } from '../http/api-error.ts'
import { ignoreDiskErrors } from '../store/background-writes.ts'
import { StoreAway } from '../store/connection.ts'
import { isWriteError } from '../store/disk-error.ts'
import { createRepeated } from '../store/serial-queue.ts'
import { hostOfIp } from '../http/host-of-ip.ts'
import { isClosed } from '../http/is-closed.ts'
import { monotonicNow } from '../monotonic.ts'
import { createThrottle } from '../users/throttle.ts'
import type { StartedEntry } from './audit-log.ts'
import type { Entry } from './entry.ts'
import { auditedRoutes, type Audited } from './audited-routes.ts'
import { changesOf } from './changes.ts'
import { createSubjects, type AuditSubject } from './subject.ts'
import { aborted, started, type Change, type Kind } from './tables.ts'
import { createViewings, type Viewing } from './viewings.ts'
import { minuteMs } from '../durations.ts'

type Exchange = { request: FastifyRequest; reply: FastifyReply }
/** A change whose entry was written before it. */
type Intent = { begun: StartedEntry; changes: Change[]; targetId: string | null }

const retrySeconds = 60
const complaintIntervalMs = 60_000
const extensionMs = 2000

/** Whether to store again how long a viewing goes on: after 2 s, and less often the longer it is. */
const isExtensionDue = ({ since, extendedAt }: Viewing): boolean =>
  monotonicNow() - extendedAt >= Math.min(minuteMs, Math.max(extensionMs, (monotonicNow() - since) / 10))

/**
 * HEAD runs the handler of GET without its body: it is logged only if the handler changes something. What another node
 * has passed on is logged there.
 */
const auditedOf = ({ method, routeOptions, passedOn }: FastifyRequest): Audited | undefined => {
  if (passedOn !== undefined) return undefined
  const audited = auditedRoutes[`${method === 'HEAD' ? 'GET' : method} ${routeOptions.url ?? ''}`]
  return method === 'HEAD' && audited?.kind !== 'change' ? undefined : audited
}

const isDone = (outcome: string): boolean => outcome === 'ok'

/** After an internal error nobody knows what has changed, so it doesn't count as a refusal. */
const failed = 'InternalServerError'

const kindOf = ({ kind }: Audited, { isKnown, isAdmin }: AuditSubject, outcome: string): Kind => {
  if (![started, failed].includes(outcome) && !isDone(outcome)) return isKnown ? 'refusal' : 'guess'
  if (kind !== 'change' && kind !== 'entry') return 'viewing'
  if (!isKnown && !isDone(outcome)) return 'guess'
  return isAdmin && kind === 'change' ? 'administration' : 'change'
}

const counted = (source: Readable) => {
  const read = { bytes: 0, isWhole: false }
  const pieces = async function* (): AsyncGenerator<unknown> {
    for await (const piece of source) {
      yield piece
      if (Buffer.isBuffer(piece)) read.bytes += piece.length
    }
    read.isWhole = true
  }
  return { stream: Readable.from(pieces()), read }
}

/**
 * Logs the calls in `auditedRoutes`. The entry of a change is written before it runs, and its outcome afterwards, even
 * if the caller has disconnected; the entry of a viewing before the first byte. Refused calls are logged with their
 * error code, those of anonymous callers only for sign-in calls. Must be installed before the gate, to log refusals.
 */
export const installAudit = (app: App, context: ServerContext): void => {
  const { audit, settings, configuration, backgroundWrites, now, log } = context
  const addresses = new WeakMap<FastifyRequest, string>()
  const answers = new WeakMap<FastifyRequest, unknown>()
  const apiErrors = new WeakMap<FastifyRequest, string>()
  const intents = new WeakMap<FastifyRequest, Intent>()
  const recorded = new WeakSet<FastifyRequest>()
  const viewings = createViewings()
  const subjects = createSubjects(context)
  const complaints = createThrottle(1, complaintIntervalMs, now)
  const complain = (error: unknown, message: string): void => {
    if (isWriteError(error) && complaints.take(message) !== undefined) return
    log.error({ err: new Error('Not recorded', { cause: error }) }, message)
  }

  const entryOf = async (request: FastifyRequest, audited: Audited, outcome: string): Promise<Entry | undefined> => {
    const { params, query, body } = request
    const call = { params, query, body, answer: answers.get(request) }
    const { action: named } = audited
    const action = typeof named === 'string' ? named : named(call, configuration.values().audit)
    const ip = addresses.get(request) ?? ''
    const subject = await subjects.subjectOf({
      caller: request.caller,
      ip,
      by: audited.by,
      call,
      isDone: isDone(outcome),
    })
    if (action === undefined || subject === undefined) return undefined
    const { login, userId, actor } = subject
    const { target, targetId, claimed = subject.claimed } = await subjects.objectOf(audited, call, isDone(outcome))
    const details = claimed === undefined ? {} : { claimed }
    return {
      kind: kindOf(audited, subject, outcome),
      action,
      login,
      userId,
      actor,
      target,
      targetId,
      ip,
      outcome,
      details,
    }
  }

  const withIntent = (entry: Entry, intent: Pick<Intent, 'changes' | 'targetId'>): Entry => ({
    ...entry,
    targetId: entry.targetId ?? intent.targetId,
    details: { ...entry.details, ...(intent.changes.length === 0 ? {} : { changes: intent.changes }) },
  })

  const begin = async (request: FastifyRequest, audited: Audited): Promise<void> => {
    const entry = await entryOf(request, audited, started)
    if (entry === undefined) return
    const intent = { changes: await changesOf(context, entry.action, request), targetId: entry.targetId }
    intents.set(request, { ...intent, begun: await audit.begin(withIntent(entry, intent)) })
  }

  const extend = (viewing: Viewing): void => {
    const { entryId } = viewing
    if (entryId === undefined || !isExtensionDue(viewing)) return
    viewing.extendedAt = monotonicNow()
    audit.extend(entryId)
  }

  const writeUnlessRepeated = async ({ window }: Audited, entry: Entry): Promise<void> => {
    const { actor, action, ip, outcome, target } = entry
    const viewer = `${actor} ${hostOfIp(ip)} ${action} ${outcome}`
    const seen = window === undefined ? undefined : viewings.see(viewer, target, window)
    if (seen?.isRepeat === true) {
      if (window?.isTimed === true && isDone(outcome)) extend(seen.viewing)
      return
    }
    try {
      const id = await audit.write(entry)
      if (seen !== undefined) seen.viewing.entryId = id
    } catch (error) {
      // Otherwise the viewing would have no entry for as long as it goes on.
      viewings.forget(viewer, target)
      throw error
    }
  }

  const sendCounted = async (entry: Entry, payload: Readable, { request, reply }: Exchange): Promise<Readable> => {
    const id = await audit.write({ ...entry, outcome: started })
    const { stream, read } = counted(payload)
    const end = () => {
      // Over HTTP/2 `writableFinished` is true for a response whose connection was lost, too.
      const isSent = read.isWhole && reply.raw.writableFinished && !request.raw.aborted
      // A download that the end of the server cuts off becomes `interrupted` at the next start.
      backgroundWrites.add(() => audit.finish(id, isSent ? 'ok' : aborted, read.bytes))
    }
    if (isClosed(reply)) end()
    else reply.raw.once('close', guarded('audit: a download ends', end))
    return stream
  }

  const record = async (exchange: Exchange, audited: Audited, payload: unknown): Promise<unknown> => {
    const { request, reply } = exchange
    const intent = intents.get(request)
    if (intent === undefined && !settings.isAudited && audited.isAlways !== true) return payload
    const outcome = reply.statusCode < 400 ? 'ok' : (apiErrors.get(request) ?? String(reply.statusCode))
    const entry = await entryOf(request, audited, outcome)
    if (entry === undefined) return payload
    if (audited.kind === 'download' && isDone(outcome) && payload instanceof Readable) {
      return sendCounted(entry, payload, exchange)
    }
    if (intent !== undefined) await audit.settle(intent.begun, withIntent(entry, intent))
    else await writeUnlessRepeated(audited, entry)
    return payload
  }

  const flush = createRepeated(() => ignoreDiskErrors(audit.flush))
  const timer = setInterval(guarded('audit: viewings', flush), extensionMs).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await flush()
  })

  // Read early: over HTTP/2 the address is unknown once the connection is lost.
  app.addHook('onRequest', async (request) => {
    if (auditedOf(request) !== undefined) addresses.set(request, request.ip)
  })
  app.addHook('preHandler', async (request) => {
    const audited = auditedOf(request)
    if (audited?.kind !== 'change' || (!settings.isAudited && audited.isAlways !== true)) return
    try {
      await begin(request, audited)
    } catch (error) {
      if (!isWriteError(error)) throw error
      complain(error, 'a change was refused, as it could not be recorded')
      throw unavailable(retrySeconds)
    }
  })
  app.addHook('preSerialization', async (request, _reply, payload) => {
    if (auditedOf(request) !== undefined) answers.set(request, payload)
    return payload
  })
  app.addHook('onError', async (request, _reply, error) => {
    apiErrors.set(request, apiErrorOf(error)?.code ?? failed)
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const audited = auditedOf(request)
    if (audited === undefined || recorded.has(request)) return payload
    recorded.add(request)
    try {
      return await record({ request, reply }, audited, payload)
    } catch (error) {
      // A viewing that begins while the database is away would never have an entry.
      if (error instanceof StoreAway && audited.kind === 'viewing') {
        if (payload instanceof Readable) payload.destroy()
        throw unavailable(retrySeconds)
      }
      complain(error, 'what was done could not be recorded')
      return payload
    }
  })
}
