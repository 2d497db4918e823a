import * as z from 'zod/mini'
import { rights } from './stream.ts'
import { atMost, key, list, numberOr, page, queryInteger, text } from './wire.ts'

/** Feature `groups` (docs/wire.md §6). `kind` is `users` or `streams`; `members` are logins or uids. */
export const Group = z.object({ id: z.string(), kind: text, name: text, members: list(z.string()) })
export type Group = z.output<typeof Group>

const GroupSummary = z.object({ id: z.string(), kind: text, name: text, memberCount: numberOr(0) })
export type GroupSummary = z.output<typeof GroupSummary>
/** Groups of users first, each kind by name. */
export const GroupsPage = page(GroupSummary)
export type GroupsPage = z.output<typeof GroupsPage>
export const GroupsQuery = z.object({ page: z._default(queryInteger, 1) })

const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(100))
const members = z.array(key).check(z.maxLength(20_000))

export const GroupBody = z.object({ kind: z.enum(['users', 'streams']), name, members: z._default(members, []) })
export type GroupBody = z.input<typeof GroupBody>
/** `members` replaces the whole list. */
export const GroupPatch = z.object({ name: z.optional(name), members: z.optional(members) })
export type GroupPatch = z.input<typeof GroupPatch>

/** What a group of users may do with a group of streams, or with one stream; `name`: of that group or stream. */
const GroupPermission = z.object({
  streamGroupId: z.optional(z.string()),
  streamId: z.optional(z.string()),
  name: text,
  ...rights,
})
export type GroupPermission = z.output<typeof GroupPermission>
export const GroupPermissions = z.object({ permissions: list(GroupPermission) })
export type GroupPermissions = z.output<typeof GroupPermissions>

/** Replaces the whole list. Each entry names either a group of streams or a stream. */
export const GroupPermissionsBody = z.object({
  permissions: z._default(
    z
      .array(
        z.object({
          streamGroupId: z.optional(key),
          streamId: z.optional(key),
          name: z._default(atMost(1000), ''),
          ...rights,
        }),
      )
      .check(z.maxLength(2000)),
    [],
  ),
})
export type GroupPermissionsBody = z.output<typeof GroupPermissionsBody>

/** The rights of a user through groups; `groups` are the names of the groups that give them. */
export const UserGroupPermissions = z.object({
  permissions: list(z.object({ uid: z.string(), name: text, ...rights, groups: list(z.string()) })),
})
export type UserGroupPermissions = z.output<typeof UserGroupPermissions>

/** The groups of users with rights to a stream. */
export const StreamGroupPermissions = z.object({
  permissions: list(z.object({ groupId: z.string(), name: text, memberCount: numberOr(0), ...rights })),
})
export type StreamGroupPermissions = z.output<typeof StreamGroupPermissions>
