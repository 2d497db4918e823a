import type { FastifyRequest } from 'fastify'
import { ResetBody, SendResetBody } from '../../src/api/contract/user.ts'
import { nothing } from '../../src/api/contract/wire.ts'
import { readServerKey } from '../access/shares.ts'
import type { ServerPlugin } from '../context.ts'
import { guarded } from '../guarded.ts'
import { featureNotFound, notFound, tooManyRequests, unknownLifetimeCode } from '../http/api-error.ts'
import type { Email } from '../mail/mail.ts'
import type { Installation } from '../mail/mailer.ts'
import { credentialChangeEmail, resetCodeEmail } from './emails.ts'
import { hashPassword, requireComplexity } from './password.ts'
import { typedName, type Account } from './account-store.ts'
import { removePasskeys } from './passkeys.ts'
import { codeMinutes, createResetCodes } from './reset-codes.ts'
import { createSharedThrottle } from './shared-throttle.ts'
import { createVisitorThrottle, visitorOf } from './visitors.ts'
import { minuteMs } from '../durations.ts'

const config = { access: { to: 'anyone' } } as const
const tags = ['session']
const retrySeconds = 60
const maxCodeLength = 100

/** Recovery by a code in an e-mail. Calls are answered before any lookup, which would reveal the known addresses. */
export const recoveryRoutes: ServerPlugin = async (app, context) => {
  const { store, accounts, sessions, tokens, configuration, dataDir, mailer, hosts, log, now } = context
  const codes = await createResetCodes(store, readServerKey(dataDir), now)
  const visitors = createVisitorThrottle(context, 'recovery')
  const pauses = createSharedThrottle(context, { name: 'next reset', capacity: 1, refillMs: retrySeconds * 1000 })
  const codesByAddress = createSharedThrottle(context, { name: 'resets', capacity: 6, refillMs: 20 * minuteMs })
  // Codes of users alone count: anybody can type any number of other addresses, and would lock everybody out.
  const codesInAll = createSharedThrottle(context, { name: 'all resets', capacity: 100, refillMs: minuteMs / 2 })
  // Unknown addresses have rows, too, of which there must not be too many.
  const unknownInAll = createSharedThrottle(context, { name: 'unknown resets', capacity: 10_000, refillMs: 90 })

  const findAccount = async (address: string): Promise<Account | undefined> => {
    const account = await accounts.findByEmail(address)
    return account === undefined || account.isManaged || account.isBlocked ? undefined : account
  }

  const requireMail = () => {
    const values = configuration.values()
    if (values.mail.host === '') throw featureNotFound()
    return values
  }

  const countAttempt = async (request: FastifyRequest): Promise<void> => {
    const wait = await visitors.take(visitorOf(request, hosts))
    if (wait !== undefined) throw tooManyRequests(wait)
  }

  const prepareCode = async (address: string, ip: string) => {
    const account = await findAccount(address)
    const isOver = (await (account === undefined ? unknownInAll : codesInAll).take('')) !== undefined
    if (account === undefined && isOver) return undefined
    const code = await codes.make(address)
    if (account === undefined) return undefined
    const { login, email } = account
    if (isOver) {
      log.warn({ login }, 'a reset code was not sent: too many are sent in all')
      return undefined
    }
    return ({ title, language }: Installation): Email => ({
      to: email,
      ...resetCodeEmail(account.language || language, { title, code, minutes: codeMinutes, login, ip }),
    })
  }

  app.post(
    '/v1/password/send-reset',
    { config, schema: { tags, body: SendResetBody, response: { 200: nothing } } },
    async (request, reply) => {
      const { recovery } = requireMail()
      const address = typedName(request.body.email)
      const key = address.toLowerCase()
      await countAttempt(request)
      if (recovery.tellUnknownAddresses && (await findAccount(address)) === undefined) throw notFound()
      const wait = (await pauses.take(key)) ?? (await codesByAddress.take(key))
      if (wait !== undefined) throw tooManyRequests(wait)
      const { ip } = request
      reply.raw.once(
        'close',
        guarded('recovery: code', () => mailer.sendLater(prepareCode(address, ip))),
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
      await countAttempt(request)
      const typed = code.length > maxCodeLength ? '' : code.replaceAll(/\s/g, '')
      const address = typedName(email)
      const account = (await codes.check(address, typed)) ? await findAccount(address) : undefined
      if (account === undefined) throw unknownLifetimeCode()
      requireComplexity(password, { ...account, title: application.title })
      const passwordHash = await hashPassword(password)
      await store.transaction(async () => {
        if (!(await codes.use(address, typed))) throw unknownLifetimeCode()
        await accounts.change(account.login, { passwordHash, mustChangePassword: false })
        await sessions.endAll(account.login)
        await tokens.removeAll(account.login)
        await removePasskeys(store, account.id)
      })
      mailer.sendLater((installation) =>
        credentialChangeEmail(account, { ...installation, what: 'password', ip: request.ip }),
      )
      await visitors.giveBack(visitorOf(request, hosts))
      return {}
    },
  )
}
