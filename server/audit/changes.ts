import type { FastifyRequest } from 'fastify'
import type { Configuration } from '../configuration/configuration.ts'
import { userOf, type People, type Person } from '../users/people.ts'
import { member } from '../http/member.ts'
import { wordOf } from './audited-routes.ts'
import type { Change } from './tables.ts'
import { plain, targetText } from './target.ts'

const maxChanges = 30
const fields = ['name', 'email', 'fullName', 'language', 'permissionType', 'maxStreamCreation'] as const

const words = (value: unknown): string => plain(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const changeOf = (path: string, from: unknown, to: unknown): Change => ({
  path,
  ...(from === undefined ? {} : { from: words(from) }),
  ...(to === undefined ? {} : { to: words(to) }),
})

const ofPerson = (person: Person | undefined, body: unknown): Change[] => {
  if (person === undefined) return []
  const before = userOf(person)
  const changed = fields.filter((field) => member(body, field) !== undefined && member(body, field) !== before[field])
  const listed = changed.map((field) => changeOf(field, before[field], member(body, field)))
  return member(body, 'password') === undefined ? listed : [...listed, { path: 'password' }]
}

const ofNewPerson = (body: unknown): Change[] =>
  ['permissionType', 'maxStreamCreation'].flatMap((field) => {
    const value = member(body, field)
    return value === undefined ? [] : [changeOf(field, undefined, value)]
  })

const ofConfiguration = (configuration: Configuration, body: unknown): Change[] => {
  const values = member(body, 'values')
  if (typeof values !== 'object' || values === null) return []
  const compared = configuration.compare({ ...values })
  return compared.slice(0, maxChanges).map(({ path, from, to }) => changeOf(path, from, to))
}

const numberOf = (holder: unknown, key: string): number => {
  const value = member(holder, key)
  return typeof value === 'number' ? value : 0
}

/** Which cameras, and of when. */
const ofExport = (body: unknown): Change[] => {
  const items = member(body, 'items')
  return (Array.isArray(items) ? items : []).slice(0, maxChanges).map((item: unknown, index) => {
    const [from, to] = [numberOf(item, 'startTime'), numberOf(item, 'endTime')]
    return changeOf(`items.${index}`, undefined, targetText({ id: wordOf(item, 'streamId'), from, to }))
  })
}

type Sources = { people: People; configuration: Configuration }

export const changesOf = async (
  { people, configuration }: Sources,
  action: string,
  request: FastifyRequest,
): Promise<Change[]> => {
  const { body, params, caller } = request
  if (action === 'configuration.change') return ofConfiguration(configuration, body)
  if (action === 'profile.change')
    return ofPerson(caller.kind === 'user' ? await people.find(caller.login) : undefined, body)
  if (action === 'user.change') return ofPerson(await people.find(wordOf(params, 'login')), body)
  if (action === 'export.create') return ofExport(body)
  return action === 'user.create' ? ofNewPerson(body) : []
}
