import type { FastifyRequest } from 'fastify'
import { ResetBody, SendResetBody } from '../../src/api/contract/user.ts'
import { nothing } from '../../src/api/contract/wire.ts'
import { readServerKey } from '../access/shares.ts'
import type { ServerPlugin } from '../context.ts'
import { guarded } from '../guarded.ts'
import { featureNotFound, notFound, tooManyRequests, unknownLifetimeCode } from '../http/api-error.ts'
import type { Letter } from '../mail/mail.ts'
import type { Letterhead } from '../mail/post.ts'
import { changeLetter, codeLetter } from './letters.ts'
import { hashPassword, requireComplexity } from './password.ts'
import { typedName, type Person } from './people.ts'
import { codeMinutes, createResetCodes } from './reset-codes.ts'
import { createThrottle } from './throttle.ts'
import { createVisitorThrottle, visitorOf } from './visitors.ts'
import { minuteMs } from '../durations.ts'

const config = { access: { to: 'anyone' } } as const
const tags = ['session']
const retrySeconds = 60
const maxCodeLength = 100

/** Recovery by a mailed code: known and unknown addresses are answered alike, before any lookup. */
export const recoveryRoutes: ServerPlugin = async (app, context) => {
  const { store, people, sessions, tokens, configuration, dataDir, post, hosts, now } = context
  const codes = await createResetCodes(store, readServerKey(dataDir), now)
  const visitors = createVisitorThrottle(now)
  const nextCodes = createThrottle(1, retrySeconds * 1000, now)
  const manyCodes = createThrottle(6, 20 * minuteMs, now)
  const allCodes = createThrottle(100, minuteMs / 2, now)

  const findPerson = async (address: string): Promise<Person | undefined> => {
    const person = await people.findByEmail(address)
    return person === undefined || person.isManaged || person.isBlocked ? undefined : person
  }

  const requireMail = () => {
    const values = configuration.values()
    if (values.mail.host === '') throw featureNotFound()
    return values
  }

  const countAttempt = (request: FastifyRequest): void => {
    const wait = visitors.take(visitorOf(request, hosts))
    if (wait !== undefined) throw tooManyRequests(wait)
  }

  const prepareCode = async (address: string, ip: string) => {
    const code = await codes.make(address)
    const person = await findPerson(address)
    if (person === undefined) return undefined
    const { login, email } = person
    return ({ title, language }: Letterhead): Letter => ({
      to: email,
      ...codeLetter(person.language || language, { title, code, minutes: codeMinutes, login, ip }),
    })
  }

  app.post(
    '/v1/password/send-reset',
    { config, schema: { tags, body: SendResetBody, response: { 200: nothing } } },
    async (request, reply) => {
      const { recovery } = requireMail()
      const address = typedName(request.body.email)
      const key = address.toLowerCase()
      countAttempt(request)
      if (recovery.tellUnknownAddresses && (await findPerson(address)) === undefined) throw notFound()
      const wait = nextCodes.take(key) ?? manyCodes.take(key) ?? allCodes.take('')
      if (wait !== undefined) throw tooManyRequests(wait)
      const { ip } = request
      reply.raw.once(
        'close',
        guarded('recovery: code', () => post.write(prepareCode(address, ip))),
      )
      reply.header('retry-after', String(retrySeconds))
      return {}
    },
  )

  app.post(
    '/v1/password/reset',
    { config, schema: { tags, body: ResetBody, response: { 200: nothing } } },
    async (request) => {
      const { application } = requireMail()
      const { code, password, email } = request.body
      countAttempt(request)
      const typed = code.length > maxCodeLength ? '' : code.replaceAll(/\s/g, '')
      const address = typedName(email)
      const person = (await codes.check(address, typed)) ? await findPerson(address) : undefined
      if (person === undefined) throw unknownLifetimeCode()
      requireComplexity(password, { ...person, title: application.title })
      const passwordHash = await hashPassword(password)
      await store.transaction(async () => {
        if (!(await codes.use(address, typed))) throw unknownLifetimeCode()
        await people.change(person.login, { passwordHash, mustChangePassword: false })
        await sessions.endAll(person.login)
        await tokens.removeAll(person.login)
      })
      post.write((head) => changeLetter(person, { ...head, what: 'password', ip: request.ip }))
      visitors.giveBack(visitorOf(request, hosts))
      return {}
    },
  )
}
