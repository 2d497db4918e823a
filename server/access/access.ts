import * as z from 'zod/mini'
import {
  authorizationRequired,
  forbidden,
  licenseExpired,
  notFound,
  sharePasswordRequired,
  type ApiError,
} from '../http/api-error.ts'
import { cachedLists, cachedQuery } from '../store/cached-query.ts'
import { allOf, bit, query, type Store } from '../store/store.ts'
import { grantsOf, grantsValues, ownedOrGranted } from './granted.ts'
import type { SharedRange } from './shares.ts'
import {
  allows,
  isOfArchive,
  mayDownload,
  rightFields,
  rightsOfRow,
  type StreamAction,
  type StreamRights,
} from './stream-rights.ts'

/** Who makes a request: a user by session cookie or API token, or a guest by the token of one stream's share. */
export type Caller =
  | { kind: 'anonymous' }
  | {
      kind: 'share'
      streamUid: string
      /** The share has a password that the caller hasn't given: answers reveal only that the stream is shared. */
      needsPassword?: true
      /** The share's password that the caller has given (`Shares.find`); absent without one. */
      passwordId?: string
      /** The share is limited to a range of the archive. */
      range?: SharedRange
    }
  | {
      kind: 'user'
      /** Unchanged by a rename. */
      id: string
      login: string
      isAdmin: boolean
      /** -1: unlimited. 0 without `isAdmin`: a read-only user (docs/behaviour.md §1). */
      maxStreamCreation: number
      /** An administrator set the password: until it is changed, the user may use only their own profile. */
      mustChangePassword: boolean
      /** The configuration requires a second factor: until it is set up, the user may use only their own profile. */
      mustAddTotp: boolean
      via: { session: string } | { token: string }
    }

export type Action =
  | { to: 'anyone' }
  | { to: 'self' }
  /** `notByToken`: the operation needs a session; the text goes into the error (`A token can't create tokens`). */
  | { to: 'user'; notByToken?: string }
  /** Adds a stream, or probes a source before that. Any user but a read-only one. */
  | { to: 'creator' }
  | { to: 'administrator' }
  | { to: StreamAction; uid: string }
  | { to: 'mosaic'; id: string }
  | { to: 'export'; id: string }
  | { to: 'plan'; id: string }

export type Access = {
  /** Decides one operation: undefined if allowed, otherwise the error to throw. */
  apiError: (caller: Caller, action: Action) => Promise<ApiError | undefined>
  /** Rejects with that error. */
  require: (caller: Caller, action: Action) => Promise<void>
  streamRights: (caller: Caller, uid: string) => Promise<StreamRights | undefined>
  /** The rights to several streams; streams without any right are left out. */
  rightsTo: (caller: Caller, uids: readonly string[]) => Promise<Map<string, StreamRights>>
}

/** Throws 403 for an API token: what the operation creates or changes would outlive the token. */
export const requireSession = (caller: Caller, what: string): void => {
  const apiError = sessionApiError(caller, what)
  if (apiError !== undefined) throw apiError
}

const sessionApiError = (caller: Caller, what: string): ApiError | undefined =>
  caller.kind === 'user' && 'token' in caller.via ? forbidden(`A token can't ${what}: sign in`) : undefined

type ShareWithoutPassword = Extract<Caller, { kind: 'share' }> & { needsPassword: true }

export const needsSharePassword = (caller: Caller): caller is ShareWithoutPassword =>
  caller.kind === 'share' && caller.needsPassword === true

const Found = z.object({ found: z.number() })
const Owned = z.object({ isOwner: bit })

const allRights: StreamRights = { canView: true, canViewArchive: true, canAdmin: true }

const GrantRow = z.object({ uid: z.string(), isOwner: bit, ...rightFields })
type Grant = z.output<typeof GrantRow>

/** Owner and administrators have all rights. `canAdmin` includes the archive, the archive includes live. */
const rightsOf = (caller: Caller, { uid, isOwner, ...granted }: Grant): StreamRights | undefined => {
  if (caller.kind === 'anonymous') return undefined
  if (caller.kind === 'share') {
    if (caller.streamUid !== uid || needsSharePassword(caller)) return undefined
    const { range } = caller
    return { canView: range?.hasLive ?? true, canViewArchive: false, canAdmin: false, ...(range && { range }) }
  }
  if (caller.isAdmin || isOwner || granted.canAdmin) return allRights
  return granted.canView || granted.canViewArchive ? rightsOfRow({ ...granted, canView: true }) : undefined
}

/**
 * Decides who may do what. A share allows live playback of its stream, or a range of its archive. With an expired
 * licence nobody may watch the archive or add streams (docs/behaviour.md §14). A stream to which the caller has no
 * right at all answers 404, one to which the caller has other rights 403 (docs/behaviour.md §3).
 */
export const createAccess = (store: Store, isLicenseExpired: () => boolean = () => false): Access => {
  const grantByUid = cachedQuery(store, GrantRow, grantsOf('?'))
  const grantLists = cachedLists(store, GrantRow, grantsOf)

  const rightsTo: Access['rightsTo'] = async (caller, uids) => {
    if (caller.kind === 'anonymous') return new Map()
    const login = caller.kind === 'user' ? caller.login : ''
    const grants = await allOf(uids, (some, placeholders) => grantLists.all(placeholders, ...grantsValues(login, some)))
    return new Map(
      grants.flatMap((grant) => {
        const rights = rightsOf(caller, grant)
        return rights === undefined ? [] : [[grant.uid, rights] as const]
      }),
    )
  }

  const streamRights: Access['streamRights'] = async (caller, uid) => {
    if (caller.kind === 'anonymous') return undefined
    const login = caller.kind === 'user' ? caller.login : ''
    const grant = await grantByUid.get(...grantsValues(login, [uid]))
    return grant === undefined ? undefined : rightsOf(caller, grant)
  }

  const ownedIn = (table: 'mosaics' | 'exports') =>
    cachedQuery(store, Owned, `SELECT CASE WHEN owner = ? THEN 1 ELSE 0 END AS isOwner FROM ${table} WHERE id = ?`)
  const mosaicsById = ownedIn('mosaics')

  const mosaicApiError = async (caller: Caller, id: string): Promise<ApiError | undefined> => {
    if (caller.kind !== 'user') return authorizationRequired()
    const mosaic = await mosaicsById.get(caller.login, id)
    return mosaic !== undefined && (caller.isAdmin || mosaic.isOwner) ? undefined : notFound()
  }

  const exportsById = ownedIn('exports')
  const streamsOfExport = query(
    store,
    z.object({ uid: z.string() }),
    `SELECT DISTINCT i.uid AS uid FROM export_items i JOIN streams s ON s.uid = i.uid
     WHERE i.export = ? ORDER BY i.uid`,
  )

  /** Refuses the owner of an export who may no longer download the archive of one of its streams that still exist. */
  const exportApiError = async (caller: Caller, id: string): Promise<ApiError | undefined> => {
    if (caller.kind !== 'user') return authorizationRequired()
    const found = await exportsById.get(caller.login, id)
    if (found === undefined || !(caller.isAdmin || found.isOwner)) return notFound()
    const uids = (await streamsOfExport.all(id)).map(({ uid }) => uid)
    const rights = await rightsTo(caller, uids)
    if (!uids.every((uid) => mayDownload(rights.get(uid)))) return forbidden()
    return isLicenseExpired() ? licenseExpired() : undefined
  }

  /** Who may see one of a plan's cameras may see the plan; administrators see plans without cameras, too. */
  const planApiError = async (caller: Caller, id: string): Promise<ApiError | undefined> => {
    if (caller.kind !== 'user') return authorizationRequired()
    const { sql, values } = visibleStreams(caller)
    const ofCameras = `plan_cameras c JOIN streams ON streams.uid = c.uid WHERE c.plan = ? AND ${sql} LIMIT 1`
    const found = caller.isAdmin
      ? await store.get(Found, 'SELECT 1 AS found FROM plans WHERE id = ?', id)
      : await store.get(Found, `SELECT 1 AS found FROM ${ofCameras}`, id, ...values)
    return found === undefined ? notFound() : undefined
  }

  const apiError: Access['apiError'] = async (caller, action) => {
    if (action.to === 'anyone') return undefined
    if (caller.kind === 'anonymous') return authorizationRequired()
    if (caller.kind === 'user' && action.to === 'self') return undefined
    if (caller.kind === 'user' && caller.mustChangePassword) return forbidden('Change your password first')
    if (caller.kind === 'user' && caller.mustAddTotp) return forbidden('Turn on two-factor authentication first')
    if ('uid' in action) {
      if (needsSharePassword(caller) && caller.streamUid === action.uid) return sharePasswordRequired()
      const rights = await streamRights(caller, action.uid)
      if (rights === undefined) return notFound()
      if (!allows(rights, action.to)) return forbidden()
      return isOfArchive(action.to) && isLicenseExpired() ? licenseExpired() : undefined
    }
    if (action.to === 'mosaic') return mosaicApiError(caller, action.id)
    if (action.to === 'export') return exportApiError(caller, action.id)
    if (action.to === 'plan') return planApiError(caller, action.id)
    if (caller.kind === 'share') return authorizationRequired()
    if (action.to === 'creator') {
      if (!caller.isAdmin && caller.maxStreamCreation === 0) return forbidden()
      return isLicenseExpired() ? licenseExpired() : undefined
    }
    if (action.to === 'administrator') return caller.isAdmin ? undefined : forbidden()
    if (action.to === 'self' || action.notByToken === undefined) return undefined
    return sessionApiError(caller, action.notByToken)
  }

  return {
    apiError,
    streamRights,
    rightsTo,
    require: async (caller, action) => {
      const error = await apiError(caller, action)
      if (error !== undefined) throw error
    },
  }
}

/**
 * An SQL condition on the table `streams`, with its parameters, for the streams that a caller may see. Must agree with
 * {@link Access.streamRights}.
 */
export const visibleStreams = (caller: Caller): { sql: string; values: string[] } => {
  if (caller.kind === 'anonymous') return { sql: 'FALSE', values: [] }
  if (needsSharePassword(caller)) return { sql: 'FALSE', values: [] }
  if (caller.kind === 'share') return { sql: 'streams.uid = ?', values: [caller.streamUid] }
  if (caller.isAdmin) return { sql: 'TRUE', values: [] }
  return ownedOrGranted(caller.login, '(can_view = 1 OR can_view_archive = 1 OR can_admin = 1)')
}

/** Like {@link visibleStreams}, for the streams whose archive the caller may watch. */
export const streamsOfArchive = (caller: Caller): { sql: string; values: string[] } => {
  if (caller.kind !== 'user') return { sql: 'FALSE', values: [] }
  if (caller.isAdmin) return { sql: 'TRUE', values: [] }
  return ownedOrGranted(caller.login, '(can_view_archive = 1 OR can_admin = 1)')
}
