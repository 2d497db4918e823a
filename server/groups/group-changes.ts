import * as z from 'zod/mini'
import {
  GroupBody,
  GroupPatch,
  GroupPermissionsBody,
  type GroupPermission,
  type GroupPermissions,
} from '../../src/api/contract/groups.ts'
import type { Store } from '../store/store.ts'
import { createGroupPermissions } from './group-permissions.ts'
import { createGroupStore } from './group-store.ts'

/** A field with its values before and after; undefined for none. */
type GroupChange = [path: string, from: string | undefined, to: string | undefined]

const ofName = (from: string | undefined, to: string | undefined): GroupChange[] =>
  from === to ? [] : [['groupName', from, to]]

/** The numbers of members, then each member that is added or removed. */
const ofMembers = (before: readonly string[], after: readonly string[]): GroupChange[] => {
  const [old, now] = [new Set(before), new Set(after)]
  const removed = before.filter((member) => !now.has(member))
  const added = [...now].filter((member) => !old.has(member))
  if (removed.length + added.length === 0) return []
  return [
    ['members', String(old.size), String(now.size)],
    ...removed.map((member): GroupChange => [`members.${member}`, member, undefined]),
    ...added.map((member): GroupChange => [`members.${member}`, undefined, member]),
  ]
}

/** The highest right, which includes the others, and whether the archive is without downloads. */
const rightOf = (permission: GroupPermission | undefined): string => {
  const right = (['canAdmin', 'canViewArchive', 'canView'] as const).find((each) => permission?.[each] === true) ?? ''
  return right === 'canViewArchive' && permission?.canDownload === false ? `${right} without canDownload` : right
}

const byTarget = ({ permissions }: GroupPermissions): Map<string, GroupPermission> =>
  new Map(permissions.map((one) => [one.streamGroupId ?? one.streamId ?? '', one]))

const ofPermissions = (before: GroupPermissions, after: GroupPermissions): GroupChange[] => {
  const [old, now] = [byTarget(before), byTarget(after)]
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((id): GroupChange[] => {
    const [from, to] = [rightOf(old.get(id)), rightOf(now.get(id))]
    const name = old.get(id)?.name ?? now.get(id)?.name ?? ''
    return from === to ? [] : [[`permissions.${name === '' ? id : `${name} (${id})`}`, from, to]]
  })
}

/** What a call changes in a group, for its entry in the audit log. */
export const groupChanges = async (store: Store, action: string, id: string, body: unknown): Promise<GroupChange[]> => {
  const groups = createGroupStore(store)
  if (action === 'group.create') {
    const { data } = z.safeParse(GroupBody, body)
    return data === undefined ? [] : [...ofName(undefined, data.name), ...ofMembers([], data.members)]
  }
  const before = await groups.find(id)
  if (before === undefined) return []
  if (action === 'group.delete') return ofName(before.name, undefined)
  if (action === 'group.change') {
    const { name = before.name, members } = z.safeParse(GroupPatch, body).data ?? {}
    const changed = members === undefined ? [] : ofMembers(await groups.membersOf(before), members)
    return [...ofName(before.name, name), ...changed]
  }
  const { data } = z.safeParse(GroupPermissionsBody, body)
  if (data === undefined || before.kind !== 'users') return []
  return ofPermissions(await createGroupPermissions(store, groups).list(id), data)
}
