import type { FastifyRequest } from 'fastify'
import type { ServerContext } from '../context.ts'
import type { EntranceFacts } from '../http/entrance.ts'
import { passkeyFeature, relyingPartyOf } from '../users/relying-party.ts'

/**
 * The sign-in page that is sent with the document, by the settings as `systemRoutes` answers them. Null if that isn't
 * what a visitor without a session sees first, or shows more than this.
 */
export const entranceOf =
  (
    {
      accounts,
      configuration,
      license,
      features,
    }: Pick<ServerContext, 'accounts' | 'configuration' | 'license' | 'features'>,
    console: { appTitle?: string | undefined; defaultLanguage?: string | undefined },
  ) =>
  async (request: Pick<FastifyRequest, 'protocol' | 'host'>): Promise<EntranceFacts | null> => {
    const { application, kiosk, mail } = configuration.values()
    const has = (feature: string) => features.has(feature) && license.allows(feature)
    const isMore = application.logo !== '' || kiosk.user !== '' || kiosk.password !== '' || has('oidc')
    if (isMore || !(await accounts.hasAdministrator())) return null
    return {
      title: application.title || console.appTitle || 'Sightline',
      defaultLanguage: application.defaultLanguage || (console.defaultLanguage ?? ''),
      hasPasskeys: has(passkeyFeature) && relyingPartyOf(request) !== undefined,
      canReset: mail.host !== '',
    }
  }
