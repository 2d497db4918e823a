import * as z from 'zod/mini'
import { Settings } from '../../src/api/contract/settings.ts'
import { Health } from '../../src/api/contract/health.ts'
import { SearchAnswer, SearchQuery } from '../../src/api/contract/system.ts'
import { UnlockBody, User } from '../../src/api/contract/user.ts'
import { visibleStreams } from '../access/access.ts'
import type { HealthWarning, ServerPlugin, ServerContext } from '../context.ts'
import { actionNotAcceptable, ApiError } from '../http/api-error.ts'
import { hashPassword, requireComplexity } from '../users/password.ts'
import { passkeyFeature, relyingPartyOf } from '../users/relying-party.ts'
import { userOf, type NewAccount, type Account } from '../users/account-store.ts'
import { visibleMosaics } from '../mosaics/visible-mosaics.ts'
import { healthWarnings } from './health-warnings.ts'
import { diskOf, usedPercent } from './host-load.ts'

const tags = ['system']
const Named = z.object({ id: z.string(), name: z.string() })

const { timeZone: timezone } = new Intl.DateTimeFormat().resolvedOptions()

/**
 * Signed out, the fields of mail are left out and the language is optional (docs/wire.md §4.2). `oidcName`: where one
 * is configured.
 */
const SettingsAnswer = z.extend(
  z.omit(Settings, {
    smtpServerEnabled: true,
    smtpServerHost: true,
    smtpServerPort: true,
    smtpServerProtected: true,
    language: true,
    oidcName: true,
  }),
  {
    smtpServerEnabled: z.optional(z.boolean()),
    smtpServerHost: z.optional(z.string()),
    smtpServerPort: z.optional(z.number()),
    smtpServerProtected: z.optional(z.boolean()),
    language: z.optional(z.string()),
    oidcName: z.optional(z.string()),
  },
)

const newAdministrator = (login: string, email: string, passwordHash: string): NewAccount => ({
  login,
  email,
  passwordHash,
  fullName: '',
  language: '',
  isAdmin: true,
  maxStreamCreation: -1,
  isManaged: false,
  isBlocked: false,
  mustChangePassword: false,
})

/** Renames the field `name` of an error to `login`, as this call has it. */
const withLoginField = (error: unknown): unknown => {
  if (!(error instanceof ApiError) || error.details?.['name'] === undefined) return error
  const { name, ...rest } = error.details
  return new ApiError(error.status, error.code, { details: { ...rest, login: name } })
}

/** Rejects with 409 if there is an administrator. */
export const createFirstAdministrator = async (
  { store, accounts, configuration }: Pick<ServerContext, 'store' | 'accounts' | 'configuration'>,
  { login, email, password }: { login: string; email: string; password: string },
): Promise<Account> => {
  if (await accounts.hasAdministrator()) throw actionNotAcceptable()
  requireComplexity(password, { login, email, title: configuration.values().application.title })
  const passwordHash = await hashPassword(password)
  return store.transaction(async () => {
    if (await accounts.hasAdministrator()) throw actionNotAcceptable()
    try {
      return await accounts.create(newAdministrator(login, email, passwordHash))
    } catch (error) {
      throw withLoginField(error)
    }
  })
}

/** Settings, health, unlock and search (docs/wire.md §4.2, §5.1). */
export const systemRoutes: ServerPlugin = (app, context) => {
  const { store, accounts, identity, settings, configuration, license, features, healthSources, dataDir } = context

  healthSources.push(async () => {
    const percent = usedPercent(await diskOf(dataDir))
    return percent >= settings.diskWarningPercent ? [{ code: 'ALLOC_DIR_DISK_SPACE', usedPercent: percent }] : []
  })

  healthSources.push(() => (store.isAway() ? [{ code: 'DATABASE_AWAY' }] : []))

  /** The nodes that a warning concerns; undefined outside a cluster. */
  const nodesOf = ({ nodes, isOfSite }: HealthWarning): string[] | undefined => {
    const { cluster } = context
    if (!cluster.isShared || isOfSite === true) return undefined
    return nodes ?? cluster.nodes().flatMap(({ id, name }) => (id === cluster.nodeId ? name : []))
  }

  app.get(
    '/v1/system/internal/ui/settings',
    {
      config: { access: { to: 'anyone' }, beforeFirstAdministrator: true },
      schema: { tags, response: { 200: SettingsAnswer } },
    },
    async (request) => {
      const { caller } = request
      const { application, mail, kiosk, tunnel, cluster } = configuration.values()
      const hasPasskeys = relyingPartyOf(request) !== undefined
      const offered = [...features].filter((name) => hasPasskeys || name !== passkeyFeature)
      return {
        isEnterprise: license.current() !== undefined && !license.isExpired(),
        isLocked: !(await accounts.hasAdministrator()),
        isLicenseExpired: license.isExpired(),
        prober: true,
        revision: '',
        version: settings.version,
        appTitle: application.title,
        appLogo: application.logo,
        defaultLanguage: application.defaultLanguage,
        archiveDownloadMaxSeconds: settings.archiveDownloadMaxSeconds,
        playlistMaxSeconds: settings.playlistMaxSeconds,
        rangesMaxSeconds: settings.rangesMaxSeconds,
        archiveMaxDepthHours: settings.archiveMaxDepthHours,
        documentation: application.documentation,
        site: application.site,
        features: offered.filter(license.allows).toSorted(),
        passwordResetAllowed: mail.host !== '',
        tunnelLocations: tunnel.locations,
        productType: license.current() === undefined ? 'free' : 'enterprise',
        clusterEnabled: cluster.isEnabled || context.cluster.isShared,
        nodeId: settings.nodeId,
        timezone,
        kioskPrefillUser: kiosk.user,
        kioskPrefillPassword: kiosk.password,
        ...(settings.oidcName === '' ? {} : { oidcName: settings.oidcName }),
        ...(caller.kind === 'user'
          ? {
              language: (await accounts.get(caller.login)).language,
              smtpServerEnabled: mail.host !== '',
              smtpServerHost: mail.host,
              smtpServerPort: mail.host === '' ? 0 : mail.port,
              smtpServerProtected: mail.security === 'tls' || mail.security === 'starttls',
            }
          : {}),
      }
    },
  )

  app.get(
    '/v1/system/health',
    {
      config: { access: { to: 'anyone' }, beforeFirstAdministrator: true },
      schema: { tags, response: { 200: Health } },
    },
    async ({ caller }) => {
      const isAdministrator = caller.kind === 'user' && caller.isAdmin
      const warnings = await healthWarnings(context)
      return {
        version: settings.version,
        build: context.consoleBuild(),
        warnings: warnings
          .filter(({ isPrivate }) => isAdministrator || isPrivate !== true)
          .map((warning) => ({ ...warning, nodes: isAdministrator ? nodesOf(warning) : undefined })),
      }
    },
  )

  app.post(
    '/v1/system/unlock',
    {
      config: { access: { to: 'anyone' }, beforeFirstAdministrator: true, rateLimit: { max: 20, timeWindow: 60_000 } },
      bodyLimit: 64 * 1024,
      schema: { tags, body: UnlockBody, response: { 200: User } },
      preValidation: async () => {
        if (await accounts.hasAdministrator()) throw actionNotAcceptable()
      },
    },
    async (request, reply) => {
      const { login, password, email = '', license: text = '' } = request.body
      if (text.trim() !== '') license.require(text)
      const account = await createFirstAdministrator(context, { login, email, password })
      if (text.trim() !== '') await license.upload(text)
      await identity.signIn(request, reply, async () => account.login)
      return userOf(account)
    },
  )

  app.get(
    '/v1/system/search',
    { config: { access: { to: 'user' } }, schema: { tags, querystring: SearchQuery, response: { 200: SearchAnswer } } },
    async ({ caller, query: { query } }) => {
      const named = (key: 'uid' | 'id', table: string, { sql, values }: ReturnType<typeof visibleStreams>) =>
        store.all(
          Named,
          `SELECT ${key} AS id, name FROM ${table} WHERE ${sql} AND instr(fold(name), fold(?)) > 0
           ORDER BY fold(name), ${key} LIMIT 20`,
          ...values,
          query.trim(),
        )
      const streams = await named('uid', 'streams', visibleStreams(caller))
      const mosaics = await named('id', 'mosaics', visibleMosaics(caller))
      const isAdmin = caller.kind === 'user' && caller.isAdmin
      const users = isAdmin
        ? (await accounts.all()).filter(({ login, fullName }) =>
            `${login}\n${fullName}`.toLowerCase().includes(query.trim().toLowerCase()),
          )
        : []
      return {
        streams: streams.map(({ id, name }) => ({ uid: id, name })),
        mosaics,
        users: users.slice(0, 20).map(({ login }) => ({ name: login })),
      }
    },
  )
}
