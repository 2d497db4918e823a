import { call, jsonOf, keptConnections, member, type Call, type Reply } from './calls.ts'
import { administrator, type Target } from './target.ts'

/** A signed-in user. */
export type Person = {
  login: string
  password: string
  /** The headers of authentication. */
  proof: () => Record<string, string>
  ask: (method: string, path: string, call?: Omit<Call, 'method'>) => Promise<Reply>
}

const cookieOf = ({ headers }: Reply): string =>
  (headers['set-cookie'] ?? []).map((line) => line.split(';')[0] ?? '').join('; ')

const personOf = (target: Target, login: string, password: string, cookie: string, from?: string): Person => {
  const agent = keptConnections(target.origin())
  const proof = () => ({ cookie })
  return {
    login,
    password,
    proof,
    ask: (method, path, more = {}) =>
      call(target.origin(), path, {
        agent,
        ...(from === undefined ? {} : { from }),
        ...more,
        method,
        headers: { ...proof(), ...more.headers },
      }),
  }
}

/** The answer of a call; throws if it failed. */
export const needed = (reply: Reply): Reply => {
  if (reply.status >= 200 && reply.status < 300) return reply
  throw new Error(`preparing was answered ${reply.status} ${reply.failure}${reply.body.toString().slice(0, 200)}`)
}

export const signIn = async (target: Target, login: string, password: string, from?: string): Promise<Person> => {
  const reply = needed(
    await call(target.origin(), '/v1/sign-in', {
      method: 'POST',
      body: { name: login, password },
      ...(from === undefined ? {} : { from }),
    }),
  )
  return personOf(target, login, password, cookieOf(reply), from)
}

export const signInAsAdministrator = (target: Target, from?: string): Promise<Person> =>
  signIn(target, administrator.login, administrator.password, from)

/** A new user with their own password. `maxStreamCreation` -1 is without limit. */
export const addPerson = async (
  target: Target,
  admin: Person,
  login: string,
  maxStreamCreation = 0,
  from?: string,
): Promise<Person> => {
  const [first, password] = [`given to ${login} 1`, `chosen by ${login} 2`]
  const body = {
    name: login,
    email: `${login}@example.org`,
    fullName: '',
    language: 'en',
    password: first,
    permissionType: 'user',
    maxStreamCreation,
  }
  needed(await admin.ask('POST', '/v1/user', { body }))
  const newcomer = await signIn(target, login, first, from)
  const changed = needed(await newcomer.ask('PATCH', '/v1/user', { body: { password, oldPassword: first } }))
  return personOf(target, login, password, cookieOf(changed), from)
}

export type StreamWish = { archive?: boolean; depthHours?: number; tags?: string[] }

/** Adds a stream and answers its uid. */
export const addStream = async (
  by: Person,
  name: string,
  streamSource: string,
  { archive = true, depthHours = -1, tags = [] }: StreamWish = {},
): Promise<string> => {
  const reply = needed(
    await by.ask('POST', '/v1/stream', {
      body: { name, streamSource, tags, archive: { isEnable: archive, depthHours } },
      timeoutMs: 60_000,
    }),
  )
  return String(member(jsonOf(reply), 'uid'))
}

export const statusOf = async (by: Person, uid: string): Promise<string> =>
  String(member(jsonOf(await by.ask('GET', `/v1/stream/${uid}`)), 'status'))

/** The recorded ranges of a stream between two moments, in epoch milliseconds. */
export const recorded = async (
  by: Person,
  uid: string,
  from: number,
  to: number,
): Promise<{ from: number; to: number }[]> => {
  const query = new URLSearchParams({ start_time: new Date(from).toISOString(), end_time: new Date(to).toISOString() })
  const body = jsonOf(await by.ask('GET', `/v1/stream/${uid}/archive/ranges?${query}`))
  const ranges = member(body, 'ranges')
  if (!Array.isArray(ranges)) return []
  const moments = [...ranges.map((range) => Date.parse(String(member(range, 'date')))), to]
  return ranges.flatMap((range, at) =>
    member(range, 'status') === 0 ? [] : [{ from: moments[at] ?? from, to: moments[at + 1] ?? to }],
  )
}

/** How many milliseconds of a range are recorded. */
export const recordedMs = async (by: Person, uid: string, from: number, to: number): Promise<number> =>
  (await recorded(by, uid, from, to)).reduce((sum, range) => sum + range.to - range.from, 0)

/** Gives rights on a stream to only one user. */
export const grant = async (
  by: Person,
  uid: string,
  login: string,
  rights: { canView?: boolean; canViewArchive?: boolean; canAdmin?: boolean },
): Promise<void> => {
  const permissions = [{ login, canView: true, canViewArchive: false, canAdmin: false, ...rights }]
  needed(await by.ask('POST', `/v1/stream/${uid}/permissions`, { body: { permissions } }))
}
