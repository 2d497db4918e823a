import { fromPromise } from 'xstate'
import { mapReply } from '../../api/map-reply.ts'
import type { Reply } from '../../api/reply.ts'
import { changeGroup, getGroup, getGroupPermissions, setGroupPermissions } from '../../api/resources/groups.ts'
import { getUsers } from '../../api/resources/users.ts'
import {
  type SavedGroup,
  grantedIn,
  groupForm,
  groupPatch,
  type Named,
  hasChanged,
} from '../../machines/groups/group-values.ts'
import { groupMachine, type KnownGroup } from '../../machines/groups/group.machine.ts'
import type { Camera } from '../../machines/streams/cameras.machine.ts'
import { GroupPage } from '../../views/groups/GroupPage.tsx'
import { definePage } from '../page.ts'
import { allCameras, searchCameras } from '../shared/all-cameras.ts'
import { storeDraft } from '../shared/drafts.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { allGroups } from './all-groups.ts'

const namedCameras = (cameras: readonly Camera[]): readonly Named[] =>
  cameras.map(({ uid, name }) => ({ id: uid, name }))

const fetchUsers = async (signal: AbortSignal): Promise<Reply<readonly Named[]>> =>
  mapReply(await getUsers(signal), ({ items }) => items.map(({ name }) => ({ id: name, name })))

async function fetchGroup(id: string, signal: AbortSignal): Promise<Reply<KnownGroup>> {
  const group = await getGroup(id, signal)
  if (!group.ok) return group
  const cameras = await allCameras(signal)
  if (!cameras.ok) return cameras
  const [streams, streamCount] = [namedCameras(cameras.value.items), cameras.value.total]
  if (group.value.kind !== 'users') {
    const known = {
      group: group.value,
      permissions: [],
      candidates: streams,
      streams: [],
      streamCount,
      streamGroups: [],
    }
    return { ...group, value: known }
  }
  const [users, permissions, groups] = await Promise.all([
    fetchUsers(signal),
    getGroupPermissions(id, signal),
    allGroups(signal),
  ])
  if (!users.ok) return users
  if (!permissions.ok) return permissions
  return mapReply(groups, (all) => ({
    group: group.value,
    permissions: permissions.value.permissions,
    candidates: users.value,
    streams,
    streamCount,
    streamGroups: all
      .filter(({ kind }) => kind === 'streams')
      .map(({ id: streamGroupId, name }) => ({ id: streamGroupId, name })),
  }))
}

export const page = definePage({
  logic: groupMachine.provide({
    actors: {
      searchStreams: fromPromise(async ({ input, signal }) =>
        mapReply(await searchCameras(input.searched, signal), namedCameras),
      ),
      fetchGroup: fromPromise(({ input, signal }) => fetchGroup(input.id, signal)),
      form: groupForm.provide({
        actors: {
          submit: fromPromise(async ({ input: { values, saved }, signal }): Promise<Reply<SavedGroup>> => {
            const patch = groupPatch(values, saved)
            const patched = patch === null ? null : await changeGroup(values.id, patch, signal)
            if (patched?.ok === false) return patched
            if (!hasChanged(values.permissions, saved.permissions))
              return { ok: true, value: {}, retryAfterSeconds: null }
            const answer = await setGroupPermissions(values.id, { permissions: grantedIn(values.permissions) }, signal)
            // Nothing is saved by halves: Discard shows what was saved before.
            const undo = answer.ok || answer.apiError.code !== 'ValidationError' ? null : groupPatch(saved, values)
            if (undo !== null) await changeGroup(values.id, undo, signal)
            return answer
          }),
          watchLeaving,
          storeDraft,
        },
      }),
    },
  }),
  View: GroupPage,
})
