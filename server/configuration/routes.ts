import * as z from 'zod/mini'
import { ConfigurationHistory, ServerConfiguration, ServerConfigurationBody } from '../../src/api/contract/system.ts'
import { signedIn } from '../access/gate.ts'
import type { Room } from '../context.ts'
import { masked } from './configuration.ts'
import { ConfigurationValues } from './values.ts'

const config = { access: { to: 'administrator' } } as const
const tags = ['administration']
const schema = z.toJSONSchema(ConfigurationValues, { io: 'input', unrepresentable: 'any' })

export const configurationRoutes: Room = (app, { configuration, features, log }) => {
  features.add('configuration-history')
  const answer = () => ({ values: masked(configuration.values()), schema: { ...schema } })

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
      const changed = await configuration.save(request.body.values, login)
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
