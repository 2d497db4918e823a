import type { StreamRights } from '../access/stream-rights.ts'
import { UsageError } from '../usage-error.ts'

/** What members of a group may do with the streams whose names match. */
export type GroupRights = {
  group: string
  rights: StreamRights
  /** `*` stands for any text; case is ignored. */
  pattern: string
}

/** An OpenID Connect provider that users may sign in with. */
export type OidcOptions = {
  issuer: URL
  clientId: string
  /** Empty: a public client, which PKCE alone protects. */
  clientSecret: string
  /** The provider's name on the sign-in page; empty: the console's own words. */
  name: string
  scope: string
  /** The claim that lists a user's groups; dots lead into nested objects. */
  groupsClaim: string
  adminGroups: readonly string[]
  /** Empty: every user of the provider may sign in. */
  allowedGroups: readonly string[]
  groupRights: readonly GroupRights[]
  /** How many hours the groups of a user count without being read again. */
  groupsHours: number
}

const maxTextLength = 200
const maxRules = 200
const defaultGroupsHours = 24
/** The lifetime of a session. */
const maxGroupsHours = 90 * 24

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)

const issuerOf = (text: string): URL => {
  const url = URL.parse(text)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (url === null || !isSafe || url.search + url.hash + url.username + url.password !== '') {
    throw new UsageError('OIDC_ISSUER takes an address like https://id.example.org/realms/site')
  }
  return url
}

const listOf = (text = ''): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** The group is all before the last `=` that rights follow, as names of directories have `=` in them. */
const ruleForm = /^(.+)=((?:canView|canViewArchive|canAdmin)(?:,(?:canView|canViewArchive|canAdmin))*):(.+)$/

const ruleOf = (text: string): GroupRights => {
  const [, group, rights, pattern] = ruleForm.exec(text) ?? []
  if (group === undefined || rights === undefined || pattern === undefined || pattern.length > maxTextLength) {
    throw new UsageError(
      `OIDC_GROUP_RIGHTS takes rules like guards=canView,canViewArchive:Gate *, separated by semicolons, not "${text}"`,
    )
  }
  const given = rights.split(',')
  const canAdmin = given.includes('canAdmin')
  const canViewArchive = canAdmin || given.includes('canViewArchive')
  return { group: group.trim(), rights: { canView: true, canViewArchive, canAdmin }, pattern: pattern.trim() }
}

const rulesOf = (text = ''): readonly GroupRights[] => {
  const rules = text
    .split(';')
    .map((rule) => rule.trim())
    .filter((rule) => rule !== '')
  if (rules.length > maxRules) throw new UsageError(`OIDC_GROUP_RIGHTS takes at most ${maxRules} rules`)
  return rules.map(ruleOf)
}

const shortText = (name: string, text: string): string => {
  if (text.length > maxTextLength) throw new UsageError(`${name} takes at most ${maxTextLength} characters`)
  return text
}

const scopeOf = (text: string): string => {
  const scopes = text.split(/[\s,]+/).filter((scope) => scope !== '')
  if (scopes.includes('openid')) return shortText('OIDC_SCOPE', scopes.join(' '))
  throw new UsageError('OIDC_SCOPE takes scopes separated by spaces, openid among them')
}

const hoursOf = (text: string | undefined): number => {
  const hours = text === undefined ? defaultGroupsHours : Number(text)
  if (Number.isInteger(hours) && hours >= 1 && hours <= maxGroupsHours) return hours
  throw new UsageError(`OIDC_GROUPS_HOURS takes a whole number from 1 to ${maxGroupsHours}`)
}

type Name =
  | 'OIDC_ISSUER'
  | 'OIDC_CLIENT_ID'
  | 'OIDC_CLIENT_SECRET'
  | 'OIDC_NAME'
  | 'OIDC_SCOPE'
  | 'OIDC_GROUPS_CLAIM'
  | 'OIDC_ADMIN_GROUPS'
  | 'OIDC_ALLOWED_GROUPS'
  | 'OIDC_GROUP_RIGHTS'
  | 'OIDC_GROUPS_HOURS'

/** Undefined without `OIDC_ISSUER`. An empty variable is undefined. */
export const oidcOptionsOf = (given: Readonly<Record<Name, string | undefined>>): OidcOptions | undefined => {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = given
  if (issuer === undefined) {
    const [name] = Object.entries(given).find(([, text]) => text !== undefined) ?? []
    if (name !== undefined) throw new UsageError(`${name} needs OIDC_ISSUER`)
    return undefined
  }
  if (clientId === undefined) throw new UsageError('OIDC_ISSUER needs OIDC_CLIENT_ID')
  return {
    issuer: issuerOf(issuer),
    clientId,
    clientSecret: given.OIDC_CLIENT_SECRET ?? '',
    name: shortText('OIDC_NAME', given.OIDC_NAME ?? ''),
    scope: scopeOf(given.OIDC_SCOPE ?? 'openid profile email'),
    groupsClaim: shortText('OIDC_GROUPS_CLAIM', given.OIDC_GROUPS_CLAIM ?? 'groups'),
    adminGroups: listOf(given.OIDC_ADMIN_GROUPS),
    allowedGroups: listOf(given.OIDC_ALLOWED_GROUPS),
    groupRights: rulesOf(given.OIDC_GROUP_RIGHTS),
    groupsHours: hoursOf(given.OIDC_GROUPS_HOURS),
  }
}
