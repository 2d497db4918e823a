import type { FastifyBaseLogger } from 'fastify'
import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ConfigurationValues } from '../configuration/values.ts'
import type { Configuration } from '../configuration/configuration.ts'
import type { App } from '../http/app.ts'
import { guarded } from '../guarded.ts'
import { sendLetter, type Letter } from './mail.ts'

/** What a letter is written with: the name of this server, and the language of a reader who chose none. */
export type Letterhead = { title: string; language: string }

/** A mail server's words without what it was given to sign in with, which some repeat where they refuse it. */
const wordsOf = (error: unknown, { user, password }: ConfigurationValues['mail']): string => {
  const words = error instanceof Error ? error.message : String(error)
  const given =
    password === ''
      ? []
      : [password, ...[`\0${user}\0${password}`, password].map((text) => Buffer.from(text).toString('base64'))]
  return given.reduce((text, secret) => text.replaceAll(secret, '***'), words)
}

/** Neither the answer of the call that it is about, nor that of the next one, waits for a letter to be made. */
const leastWaitMs = 100
const mostWaitMs = 400

/** Letters to users. What comes of one is in the log; nobody waits for it. */
export type Post = {
  /** `make` runs some time after the call was answered, so that the answer doesn't tell by its time whether there is a letter. */
  write: (make: (head: Letterhead) => Letter | undefined) => void
}

export const createPost = (
  app: App,
  { configuration, log }: { configuration: Configuration; log: FastifyBaseLogger },
): Post => {
  const sending = new Set<Promise<void>>()
  app.addHook('onClose', async () => {
    await Promise.all(sending)
  })

  const deliver: (...given: Parameters<Post['write']>) => Promise<void> = async (make) => {
    await pause(randomInt(leastWaitMs, mostWaitMs))
    const { mail, application } = configuration.values()
    if (mail.host === '') return
    const title = application.title || 'Sightline'
    const letter = make({ title, language: application.defaultLanguage })
    if (letter === undefined) return
    try {
      await sendLetter(mail, title, letter)
    } catch (error) {
      log.error({ reason: wordsOf(error, mail), host: mail.host }, 'a letter was not sent')
    }
  }

  return {
    write: (make) => {
      const delivery = new Promise<void>((resolve) => {
        const finish = () => {
          sending.delete(delivery)
          resolve()
        }
        const attempt = async () => {
          await deliver(make)
          finish()
        }
        guarded('mail: letter', attempt, finish)()
      })
      sending.add(delivery)
    },
  }
}
