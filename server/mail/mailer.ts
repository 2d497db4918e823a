import type { FastifyBaseLogger } from 'fastify'
import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Configuration } from '../configuration/configuration.ts'
import type { App } from '../http/fastify.ts'
import { guarded } from '../guarded.ts'
import { mailErrorOf, sendEmail, type Email } from './mail.ts'

/** Name and default language of the server, for the texts of e-mails. */
export type Installation = { title: string; language: string }

/** E-mails wait for a random time, so that response times don't reveal whether one is sent. */
const minWaitMs = 100
const maxWaitMs = 400

type Compose = (installation: Installation) => Email | undefined

export type Mailer = {
  /** Sends what `compose` returns, in the background; undefined: nothing. A failure is logged. */
  sendLater: (compose: Compose | Promise<Compose | undefined>) => void
}

export const createMailer = (
  app: App,
  { configuration, log }: { configuration: Configuration; log: FastifyBaseLogger },
): Mailer => {
  const sending = new Set<Promise<void>>()
  app.addHook('onClose', async () => {
    await Promise.all(sending)
  })

  const deliver: (...given: Parameters<Mailer['sendLater']>) => Promise<void> = async (given) => {
    const [compose] = await Promise.all([given, pause(randomInt(minWaitMs, maxWaitMs))])
    const { mail, application } = configuration.values()
    if (mail.host === '') return
    const title = application.title || 'Sightline'
    const email = compose?.({ title, language: application.defaultLanguage })
    if (email === undefined) return
    try {
      await sendEmail(mail, title, email)
    } catch (error) {
      log.error({ reason: mailErrorOf(error, mail), host: mail.host }, 'a message was not sent')
    }
  }

  return {
    sendLater: (compose) => {
      const delivery = new Promise<void>((resolve) => {
        const finish = () => {
          sending.delete(delivery)
          resolve()
        }
        const attempt = async () => {
          await deliver(compose)
          finish()
        }
        guarded('mail: e-mail', attempt, finish)()
      })
      sending.add(delivery)
    },
  }
}
