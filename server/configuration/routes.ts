import * as z from 'zod/mini'
import { ConfigurationHistory, ServerConfiguration, ServerConfigurationBody } from '../../src/api/contract/system.ts'
import { requireSession } from '../access/access.ts'
import { signedIn } from '../access/gate.ts'
import type { ServerPlugin } from '../context.ts'
import { validationError } from '../http/api-error.ts'
import { isTotpRequired } from '../users/account-store.ts'
import { masked } from './configuration.ts'
import { ConfigurationValues } from './values.ts'

const config = { access: { to: 'administrator' } } as const
const tags = ['administration']
/**
 * Settings that an API token must not change: with another mail server it would get the codes that set the passwords
 * of administrators.
 */
const bySession = /^(?:mail|recovery|signIn)\./
const schema = z.toJSONSchema(ConfigurationValues, { io: 'input', unrepresentable: 'any' })

export const configurationRoutes: ServerPlugin = (app, { configuration, accounts, features, log }) => {
  features.add('configuration-history')
  const answer = () => ({ values: masked(configuration.values()), schema: { ...schema } })

  /** An administrator without a second factor who required one of administrators would lose access. */
  const requireOwnSecondFactor = async (login: string, values: Record<string, unknown>): Promise<void> => {
    const change = configuration.compare(values).find(({ path }) => path === 'signIn.secondFactorOf')
    const requiredOf = ConfigurationValues.shape.signIn.shape.secondFactorOf.safeParse(change?.to)
    const account = await accounts.get(login)
    if (!requiredOf.success || account.hasTotp || !isTotpRequired(account, requiredOf.data)) return
    throw validationError({ 'signIn.secondFactorOf': 'Turn on your own first, in your profile' })
  }

  app.get('/v1/admin/configuration', { config, schema: { tags, response: { 200: ServerConfiguration } } }, async () =>
    answer(),
  )

  app.put(
    '/v1/admin/configuration',
    {
      config: { ...config, keepsNulls: true },
      bodyLimit: 512 * 1024,
      schema: { tags, body: ServerConfigurationBody, response: { 200: ServerConfiguration } },
    },
    async (request) => {
      const { login } = signedIn(request)
      await requireOwnSecondFactor(login, request.body.values)
      const changed = await configuration.save(request.body.values, login, (paths) => {
        if (paths.some((path) => bySession.test(path))) {
          requireSession(request.caller, 'change how users sign in or recover their passwords')
        }
      })
      if (changed.length > 0) log.info({ login, changed: changed.join(' ') }, 'configuration changed')
      return answer()
    },
  )

  app.get(
    '/v1/admin/configuration/history',
    { config, schema: { tags, response: { 200: ConfigurationHistory } } },
    async () => ({
      items: (await configuration.versions()).map((version) => ({ ...version, values: masked(version.values) })),
    }),
  )
}
