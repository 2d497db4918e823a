import type { FastifyBaseLogger } from 'fastify'
import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Configuration } from '../configuration/configuration.ts'
import type { App } from '../http/fastify.ts'
import { guarded } from '../guarded.ts'
import { sendLetter, wordsOf, type Letter } from './mail.ts'

export type Letterhead = { title: string; language: string }

/** Delays the letter, so that neither this response nor the next one waits for it. */
const minWaitMs = 100
const maxWaitMs = 400

type Make = (head: Letterhead) => Letter | undefined

export type Post = {
  /** Nothing is sent for an undefined one. */
  write: (make: Make | Promise<Make | undefined>) => void
}

export const createPost = (
  app: App,
  { configuration, log }: { configuration: Configuration; log: FastifyBaseLogger },
): Post => {
  const sending = new Set<Promise<void>>()
  app.addHook('onClose', async () => {
    await Promise.all(sending)
  })

  const deliver: (...given: Parameters<Post['write']>) => Promise<void> = async (given) => {
    const [make] = await Promise.all([given, pause(randomInt(minWaitMs, maxWaitMs))])
    const { mail, application } = configuration.values()
    if (mail.host === '') return
    const title = application.title || 'Sightline'
    const letter = make?.({ title, language: application.defaultLanguage })
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
