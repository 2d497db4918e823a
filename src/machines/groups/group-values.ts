import type { Group, GroupBody, GroupPatch, GroupPermission } from '../../api/contract/groups.ts'
import { restorableOf } from '../form/draft.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { nameErrors } from '../form/required-name.ts'
import { rightsDraft } from '../permissions/rights-draft.ts'
import { noRights, type Right, rights, withRight } from '../permissions/rights.ts'

export type GroupKind = GroupBody['kind']
export type NewGroupValues = Pick<Group, 'name'> & { kind: GroupKind }

export interface GroupValues {
  id: string
  name: string
  /** Logins or uids, sorted. */
  members: readonly string[]
  /** Sorted; empty for a group of streams. */
  permissions: readonly GroupPermission[]
}

/** The answer to a save: the permissions as the server stored them, if they were changed. */
export interface SavedGroup {
  permissions?: readonly GroupPermission[]
}

/** A user, a stream or a group as an option of a field. */
export interface Named {
  readonly id: string
  readonly name: string
}

const fieldOfCode = { AlreadyUsed: 'name' }

export const newGroupForm = formMachineOf<NewGroupValues, { id: string }>({ validate: nameErrors, fieldOfCode })

const rightRules = rightsDraft<GroupPermission>((permission) => keyOf(permission))

export const groupForm = formMachineOf<GroupValues, SavedGroup>({
  validate: nameErrors,
  fieldOfCode,
  afterSave: ({ permissions }) => (permissions === undefined ? {} : { permissions: inOrder(permissions) }),
  draft: ({ members, ...changed }, facts, saved) => ({
    ...changed,
    ...(members === undefined ? {} : { members: memberChanges(members, saved.members) }),
    ...rightRules.draft(changed, facts, saved),
  }),
  fromDraft: (stored, saved) => {
    const { members: changes = [], ...restored } = restorableOf(stored, saved)
    const { permissions } = rightRules.fromDraft(stored, saved)
    return { ...restored, members: withMemberChanges(saved.members, changes), permissions: inOrder(permissions) }
  },
})

export const groupValuesOf = ({ id, name, members }: Group, permissions: readonly GroupPermission[]): GroupValues => ({
  id,
  name,
  members: members.toSorted(),
  permissions: inOrder(permissions),
})

/** Adds or removes members. The result is sorted, so that a change and its undoing leave nothing to save. */
export const withMembers = (members: readonly string[], changed: readonly string[], isMember: boolean): string[] => {
  const remaining = new Set(members)
  for (const member of changed) {
    if (isMember) remaining.add(member)
    else remaining.delete(member)
  }
  return [...remaining].toSorted()
}

/** For a draft: added members with a plus before them, removed ones with a minus. */
function memberChanges(members: readonly string[], saved: readonly string[]): string[] {
  const [now, before] = [new Set(members), new Set(saved)]
  return [...[...now.difference(before)].map((id) => `+${id}`), ...[...before.difference(now)].map((id) => `-${id}`)]
}

function withMemberChanges(members: readonly string[], changes: readonly string[]): string[] {
  // The browser may have stored anything.
  const texts = changes.filter((each: unknown) => typeof each === 'string')
  const changed = (sign: string) => texts.filter((each) => each.startsWith(sign)).map((each) => each.slice(1))
  return withMembers(withMembers(members, changed('-'), false), changed('+'), true)
}

/** The key of what a permission is for: a group of streams, or one stream. */
export const keyOf = ({ streamGroupId, streamId = '' }: GroupPermission): string =>
  streamGroupId === undefined ? `stream ${streamId}` : `group ${streamGroupId}`

const inOrder = (permissions: readonly GroupPermission[]): readonly GroupPermission[] =>
  permissions.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))

/** Those with any right: the server drops the others, but refuses one on a stream that is gone. */
export const grantedIn = (permissions: readonly GroupPermission[]): GroupPermission[] =>
  permissions.filter((one) => rights.some((each) => one[each]))

/** Grants or revokes a right. A stream without any right stays in the list until the group is saved. */
export function withPermission(
  permissions: readonly GroupPermission[],
  target: GroupPermission,
  right: Right,
  isGranted: boolean,
): readonly GroupPermission[] {
  const key = keyOf(target)
  const changed = withRight(permissions.find((one) => keyOf(one) === key) ?? target, right, isGranted)
  const others = permissions.filter((one) => keyOf(one) !== key)
  const isListed = target.streamId !== undefined || rights.some((each) => changed[each])
  return inOrder(isListed ? [...others, changed] : others)
}

/** A row for each group of streams, then one for each stream with a permission of its own, by name. */
export function permissionRows(
  permissions: readonly GroupPermission[],
  streamGroups: readonly Named[],
): readonly GroupPermission[] {
  const byKey = new Map(permissions.map((one) => [keyOf(one), one]))
  const ofGroups = streamGroups.map(({ id, name }) => {
    const permission: GroupPermission = { streamGroupId: id, name, ...noRights }
    return byKey.get(keyOf(permission)) ?? permission
  })
  const ofStreams = permissions
    .filter(({ streamId }) => streamId !== undefined)
    .toSorted((one, other) => one.name.localeCompare(other.name))
  return [...ofGroups, ...ofStreams]
}

/** The changed fields of the group itself; null if there are none. */
export function groupPatch(values: GroupValues, saved: GroupValues): GroupPatch | null {
  const name = values.name.trim()
  const patch = {
    ...(name === saved.name.trim() ? {} : { name }),
    ...(hasChanged(values.members, saved.members) ? { members: [...values.members] } : {}),
  }
  return Object.keys(patch).length === 0 ? null : patch
}

export const hasChanged = (value: unknown, saved: unknown): boolean => JSON.stringify(value) !== JSON.stringify(saved)
