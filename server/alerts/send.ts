import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod/mini'
import { AlertMessage } from '../../src/api/contract/alerts.ts'
import type { ServerContext } from '../context.ts'
import { guarded } from '../guarded.ts'
import { mailErrorOf, sendEmail } from '../mail/mail.ts'
import { ConnectFailure } from '../media/address.ts'
import type { Delivery } from './delivery-store.ts'
import { alertTextOf } from './alert-text.ts'
import { itemOf } from './happenings.ts'
import { encryptFor, type PushKey, subscriptionOf } from './push.ts'
import { type Call, post, signatureOf } from './webhook.ts'

/** `isFinal`: another attempt would fail, too. */
export type Outcome = { isSent: true } | { isSent: false; reason: string; isFinal: boolean }
/** A message and its destination. `secret`: signs the call of a webhook; empty: no signature. */
type Message = Pick<Delivery, 'id' | 'alert' | 'name' | 'kind' | 'address' | 'happenings' | 'total'> & {
  secret: string
}
/** Never rejects. */
export type Send = (message: Message, signal: AbortSignal) => Promise<Outcome>

const sent: Outcome = { isSent: true }
const notSent = (reason: string, isFinal = false): Outcome => ({ isSent: false, reason, isFinal })

const MailError = z.object({
  code: z.optional(z.string()),
  command: z.optional(z.string()),
  response: z.optional(z.string()),
  responseCode: z.optional(z.number()),
})
const NetworkError = z.object({ code: z.optional(z.string()), name: z.optional(z.string()) })

/** Rejects as soon as the signal aborts. */
const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener(
      'abort',
      guarded('alerts: abort', () => reject(signal.reason)),
      { once: true },
    )
  })

/**
 * The mail server refuses the recipient for good. Wrong credentials, a refused sender and a policy (5.7.x, RFC 3463)
 * don't count, as somebody may correct them.
 */
const isRefused = (error: unknown): boolean => {
  const { code, command, response = '', responseCode = 0 } = z.safeParse(MailError, error).data ?? {}
  return code === 'EENVELOPE' && command === 'RCPT TO' && responseCode >= 500 && !/\b5\.7\.\d/.test(response)
}

const reasonOf = (error: unknown): string => {
  if (error instanceof ConnectFailure) return error.code
  const { code = '', name = '' } = z.safeParse(NetworkError, error).data ?? {}
  if (name === 'TimeoutError' || name === 'AbortError') return 'TIMED_OUT'
  return /CERT|ISSUER|SIGNATURE/.test(code) ? 'CERTIFICATE_REFUSED' : 'CONNECTION_LOST'
}

const notFound = 404
const gone = 410
const pushEnded = notSent('PUSH_ENDED', true)
/** Characters of the text that is shown; a push message has 4 KB at most. */
const maxPushText = 700
/** How long a push service keeps a message for a browser that is offline. */
const pushTtlSeconds = 86_400

/** The contact that a push service gets. `from` may be `Name <address>`. */
const contactOf = (from: string, site: string): string => {
  const address = (from.split('<').at(-1) ?? '').replace('>', '').trim()
  if (address !== '') return `mailto:${address}`
  return site.startsWith('https:') ? site : 'mailto:sightline@example.org'
}

/** The page of the console that shows what happened: the player of the only stream, or the events; else empty. */
const pathOf = ({ happenings, total }: Pick<Message, 'happenings' | 'total'>): string => {
  const [first] = happenings
  const areEvents = happenings.every(({ on }) => on === 'event')
  if (first === undefined) return ''
  const isOfOne = total === happenings.length && happenings.every(({ streamId }) => streamId === first.streamId)
  if (first.streamId === undefined || !isOfOne) return areEvents ? '/ui/events' : ''
  const player = `/ui/stream/${encodeURIComponent(first.streamId)}/view`
  return areEvents ? `${player}?at=${new Date(first.time).toISOString()}` : player
}

/** The body of a webhook. */
const bodyOf = ({ id, alert, name, happenings, total }: Message, time: number): string =>
  JSON.stringify(
    z.encode(AlertMessage, {
      id,
      time,
      alert: { id: alert, name },
      total,
      items: happenings.map(itemOf),
    }),
  )

type Needs = Pick<ServerContext, 'configuration' | 'now'> & {
  log: Pick<FastifyBaseLogger, 'warn'>
  allowsLoopback: () => boolean
  pushKey: PushKey
}

export const createSend = ({ configuration, now, log, allowsLoopback, pushKey }: Needs): Send => {
  const textFor = ({ name: alert, happenings, total }: Message, link = '') => {
    const { title: given, defaultLanguage: language } = configuration.values().application
    const title = given || 'Sightline'
    return { title, ...alertTextOf({ alert, happenings, total }, { title, language, link }) }
  }

  const sendMail = async (message: Message, signal: AbortSignal): Promise<Outcome> => {
    const { mail } = configuration.values()
    if (mail.host === '') return notSent('NO_MAIL_SERVER')
    // The console may be below a path, and its address be typed with its own.
    const site = mail.consoleUrl.replace(/\/$/, '').replace(/\/ui$/, '')
    const link = site === '' ? '' : site + (pathOf(message) || '/ui/')
    const { title, ...content } = textFor(message, link)
    try {
      await Promise.race([sendEmail(mail, title, { to: message.address, ...content }), rejectOnAbort(signal)])
      return sent
    } catch (error) {
      if (signal.aborted) return notSent('TIMED_OUT')
      log.warn({ reason: mailErrorOf(error, mail), host: mail.host }, 'an alert was not mailed')
      return isRefused(error) ? notSent('MAIL_REFUSED', true) : notSent('MAIL_FAILED')
    }
  }

  /** `refusals`: the outcomes of statuses that no other attempt would change. */
  const posted = async (
    call: Call,
    signal: AbortSignal,
    refusals: Readonly<Record<number, Outcome>>,
  ): Promise<Outcome> => {
    try {
      const status = await post(call, allowsLoopback(), signal)
      return status >= 200 && status < 300 ? sent : (refusals[status] ?? notSent(`HTTP ${status}`))
    } catch (error) {
      return notSent(reasonOf(error))
    }
  }

  const callWebhook = async (message: Message, signal: AbortSignal): Promise<Outcome> => {
    const { id, address, secret } = message
    const time = now()
    const body = bodyOf(message, time)
    const seconds = Math.floor(time / 1000)
    const signed = secret === '' ? {} : { 'webhook-signature': signatureOf(secret, id, seconds, body) }
    const headers = { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': seconds, ...signed }
    return posted({ address, headers, body }, signal, { [gone]: notSent(`HTTP ${gone}`, true) })
  }

  const sendPush = async (message: Message, signal: AbortSignal): Promise<Outcome> => {
    const { mail, application } = configuration.values()
    const subscription = subscriptionOf(message.address)
    if (subscription === undefined) return pushEnded
    const { endpoint } = subscription
    const { subject, text } = textFor(message)
    const body = text.split('\n\n')[0]?.slice(0, maxPushText) ?? ''
    // Browsers replace a message of the same tag without a sound.
    const pushed = { title: subject, body, tag: message.id, path: pathOf(message) }
    const sealed = encryptFor(subscription, JSON.stringify(pushed))
    const headers = {
      authorization: pushKey.authorize(endpoint, contactOf(mail.from, application.site), now()),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(pushTtlSeconds),
      urgency: 'high',
    }
    return posted({ address: endpoint, headers, body: sealed }, signal, { [notFound]: pushEnded, [gone]: pushEnded })
  }

  return (message, signal) => {
    if (message.kind === 'mail') return sendMail(message, signal)
    return message.kind === 'webhook' ? callWebhook(message, signal) : sendPush(message, signal)
  }
}
