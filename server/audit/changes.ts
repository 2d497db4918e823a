import type { FastifyRequest } from 'fastify'
import type { Configuration } from '../configuration/configuration.ts'
import { groupChanges } from '../groups/group-changes.ts'
import { userOf, type Accounts, type Account } from '../users/account-store.ts'
import { propertyOf } from '../property-of.ts'
import type { Store } from '../store/store.ts'
import { textOf } from './audited-routes.ts'
import type { Change } from './tables.ts'
import { printable, targetText } from './target.ts'

const maxChanges = 30
const fields = ['name', 'email', 'fullName', 'language', 'permissionType', 'maxStreamCreation'] as const

const shown = (value: unknown): string => printable(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const changeOf = (path: string, from: unknown, to: unknown): Change => ({
  path,
  ...(from === undefined ? {} : { from: shown(from) }),
  ...(to === undefined ? {} : { to: shown(to) }),
})

const ofAccount = (account: Account | undefined, body: unknown): Change[] => {
  if (account === undefined) return []
  const before = userOf(account)
  const changed = fields.filter(
    (field) => propertyOf(body, field) !== undefined && propertyOf(body, field) !== before[field],
  )
  const listed = changed.map((field) => changeOf(field, before[field], propertyOf(body, field)))
  return propertyOf(body, 'password') === undefined ? listed : [...listed, { path: 'password' }]
}

const ofNewAccount = (body: unknown): Change[] =>
  ['permissionType', 'maxStreamCreation'].flatMap((field) => {
    const value = propertyOf(body, field)
    return value === undefined ? [] : [changeOf(field, undefined, value)]
  })

const ofConfiguration = (configuration: Configuration, body: unknown): Change[] => {
  const values = propertyOf(body, 'values')
  if (typeof values !== 'object' || values === null) return []
  const compared = configuration.compare({ ...values })
  return compared.slice(0, maxChanges).map(({ path, from, to }) => changeOf(path, from, to))
}

const numberOf = (holder: unknown, key: string): number => {
  const value = propertyOf(holder, key)
  return typeof value === 'number' ? value : 0
}

const ofMasks = (body: unknown): Change[] => {
  const masks = propertyOf(body, 'masks')
  if (!Array.isArray(masks) || masks.length === 0) return [changeOf('masks', undefined, [])]
  return masks.slice(0, maxChanges).map((mask: unknown, index) => changeOf(`masks.${index}`, undefined, mask))
}

/** The streams and ranges of an export. */
const ofExport = (body: unknown): Change[] => {
  const items = propertyOf(body, 'items')
  return (Array.isArray(items) ? items : []).slice(0, maxChanges).map((item: unknown, index) => {
    const [from, to] = [numberOf(item, 'startTime'), numberOf(item, 'endTime')]
    return changeOf(`items.${index}`, undefined, targetText({ id: textOf(item, 'streamId'), from, to }))
  })
}

const ofGroup = async (store: Store, action: string, { params, body }: FastifyRequest): Promise<Change[]> => {
  const changed = await groupChanges(store, action, textOf(params, 'id'), body)
  return changed.slice(0, maxChanges).map(([path, from, to]) => changeOf(printable(path), from, to))
}

type Sources = { accounts: Accounts; configuration: Configuration; store: Store }

/** What a call changes, for its entry: fields with the values before and after; of a password only that it changes. */
export const changesOf = async (
  { accounts, configuration, store }: Sources,
  action: string,
  request: FastifyRequest,
): Promise<Change[]> => {
  const { body, params, caller } = request
  if (action === 'configuration.change') return ofConfiguration(configuration, body)
  if (action === 'profile.change')
    return ofAccount(caller.kind === 'user' ? await accounts.find(caller.login) : undefined, body)
  if (action === 'user.change') return ofAccount(await accounts.find(textOf(params, 'login')), body)
  if (action === 'export.create') return ofExport(body)
  if (action.startsWith('group.')) return ofGroup(store, action, request)
  if (action === 'stream.masks') return ofMasks(body)
  return action === 'user.create' ? ofNewAccount(body) : []
}
