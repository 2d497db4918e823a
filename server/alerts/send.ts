import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod/mini'
import { AlertMessage } from '../../src/api/contract/alerts.ts'
import type { ServerContext } from '../context.ts'
import { guarded } from '../guarded.ts'
import { sendLetter, wordsOf } from '../mail/mail.ts'
import { ConnectFailure } from '../media/address.ts'
import type { Delivery } from './delivery-store.ts'
import { letterOf } from './letter.ts'
import { post, signatureOf } from './webhook.ts'

/** `isFinal`: trying again is of no use. */
export type Outcome = { isSent: true } | { isSent: false; reason: string; isFinal: boolean }
/** What is sent, and to whom. `secret` signs a webhook; empty: it isn't signed. */
export type Message = Pick<Delivery, 'id' | 'alert' | 'name' | 'kind' | 'address' | 'happenings' | 'total'> & {
  secret: string
}
/** Never rejects. */
export type Send = (message: Message, signal: AbortSignal) => Promise<Outcome>

const sent: Outcome = { isSent: true }
const notSent = (reason: string, isFinal = false): Outcome => ({ isSent: false, reason, isFinal })

const ErrorOfMail = z.object({ code: z.optional(z.string()), responseCode: z.optional(z.number()) })
const ErrorOfNetwork = z.object({ code: z.optional(z.string()), name: z.optional(z.string()) })

/** Rejects as soon as the signal aborts. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener(
      'abort',
      guarded('alerts: abort', () => reject(signal.reason)),
      { once: true },
    )
  })

/** The recipient is refused for good; wrong credentials may be mended. */
const isRefused = (error: unknown): boolean => {
  const { code, responseCode = 0 } = z.safeParse(ErrorOfMail, error).data ?? {}
  return code === 'EENVELOPE' && responseCode >= 500
}

const reasonOf = (error: unknown): string => {
  if (error instanceof ConnectFailure) return error.code
  const { code = '', name = '' } = z.safeParse(ErrorOfNetwork, error).data ?? {}
  if (name === 'TimeoutError' || name === 'AbortError') return 'TIMED_OUT'
  return /CERT|SSL|TLS|ISSUER|SIGNATURE/.test(code) ? 'CERTIFICATE_REFUSED' : 'CONNECTION_LOST'
}

const gone = 410

/** The body of a webhook. */
const bodyOf = ({ id, alert, name, happenings, total }: Message, time: number): string =>
  JSON.stringify(
    z.encode(AlertMessage, {
      id,
      time,
      alert: { id: alert, name },
      total,
      items: happenings.map(({ isOver, ...each }) => ({ ...each, ...(isOver === true ? { over: true } : {}) })),
    }),
  )

type Needs = Pick<ServerContext, 'configuration' | 'now'> & {
  log: Pick<FastifyBaseLogger, 'warn'>
  allowsLoopback: () => boolean
}

export const createSend = ({ configuration, now, log, allowsLoopback }: Needs): Send => {
  const mailed = async (message: Message, signal: AbortSignal): Promise<Outcome> => {
    const { mail, application } = configuration.values()
    if (mail.host === '') return notSent('NO_MAIL_SERVER')
    const title = application.title || 'Sightline'
    const { name: alert, happenings, total, address: to } = message
    const letter = letterOf({ alert, happenings, total }, { title, language: application.defaultLanguage })
    try {
      await Promise.race([sendLetter(mail, title, { to, ...letter }), untilAborted(signal)])
      return sent
    } catch (error) {
      if (signal.aborted) return notSent('TIMED_OUT')
      log.warn({ reason: wordsOf(error, mail), host: mail.host }, 'an alert was not mailed')
      return isRefused(error) ? notSent('MAIL_REFUSED', true) : notSent('MAIL_FAILED')
    }
  }

  const called = async (message: Message, signal: AbortSignal): Promise<Outcome> => {
    const { id, address, secret } = message
    const time = now()
    const body = bodyOf(message, time)
    const seconds = Math.floor(time / 1000)
    const signed = secret === '' ? {} : { 'webhook-signature': signatureOf(secret, id, seconds, body) }
    const headers = { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': seconds, ...signed }
    try {
      const status = await post({ address, headers, body }, allowsLoopback(), signal)
      return status >= 200 && status < 300 ? sent : notSent(`HTTP ${status}`, status === gone)
    } catch (error) {
      return notSent(reasonOf(error))
    }
  }

  return (message, signal) => {
    if (message.kind === 'mail') return mailed(message, signal)
    return message.kind === 'webhook' ? called(message, signal) : Promise.resolve(notSent('NOT_SUPPORTED', true))
  }
}
