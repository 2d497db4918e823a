import { createMachine, type AnyStateMachine } from 'xstate'
import {
  auditMachine,
  clusterMachine,
  tunnelMachine,
} from '../../src/machines/administration/administration.machines.ts'
import { configurationMachine } from '../../src/machines/administration/configuration.machine.ts'
import { licenseMachine } from '../../src/machines/administration/license.machine.ts'
import { serverDebugMachine } from '../../src/machines/administration/server-debug.machine.ts'
import { statisticsMachine } from '../../src/machines/administration/statistics.machine.ts'
import { alertsMachine } from '../../src/machines/alerts/alerts.machine.ts'
import { apiDocumentationMachine } from '../../src/machines/api-documentation/api-documentation.machine.ts'
import type { RouteName } from '../../src/machines/app/routes.ts'
import { bookmarksMachine } from '../../src/machines/bookmarks/bookmarks.machine.ts'
import { exportsMachine } from '../../src/machines/exports/exports.machine.ts'
import { groupMachine } from '../../src/machines/groups/group.machine.ts'
import { groupsMachine } from '../../src/machines/groups/groups.machine.ts'
import { eventsMachine } from '../../src/machines/events/events.machine.ts'
import { masksMachine } from '../../src/machines/masks/masks.machine.ts'
import { mosaicEditMachine } from '../../src/machines/mosaics/mosaic-edit.machine.ts'
import { mosaicMachine } from '../../src/machines/mosaics/mosaic.machine.ts'
import { mosaicsMachine } from '../../src/machines/mosaics/mosaics.machine.ts'
import { planEditMachine } from '../../src/machines/plans/plan-edit.machine.ts'
import { planMachine } from '../../src/machines/plans/plan.machine.ts'
import { plansMachine } from '../../src/machines/plans/plans.machine.ts'
import { playerPageMachine } from '../../src/machines/player/page.machine.ts'
import { profileEditMachine } from '../../src/machines/profile/profile-edit.machine.ts'
import { profileInfoMachine } from '../../src/machines/profile/profile-info.machine.ts'
import { recoveryMachine } from '../../src/machines/recovery/recovery.machine.ts'
import { initMachine } from '../../src/machines/session/init.machine.ts'
import { signInMachine } from '../../src/machines/session/sign-in.machine.ts'
import { sessionsMachine } from '../../src/machines/sessions/sessions.machine.ts'
import { addStreamMachine } from '../../src/machines/stream-pages/add-stream.machine.ts'
import { streamDebugMachine } from '../../src/machines/stream-pages/debug.machine.ts'
import { streamInfoMachine } from '../../src/machines/stream-pages/info.machine.ts'
import { streamPermissionsMachine } from '../../src/machines/stream-pages/permissions.machine.ts'
import { streamSettingsMachine } from '../../src/machines/stream-pages/settings.machine.ts'
import { canAdminister, streamPageMachine } from '../../src/machines/stream-pages/stream-page.machine.ts'
import { streamsMachine } from '../../src/machines/streams/streams.machine.ts'
import { tokensMachine } from '../../src/machines/tokens/tokens.machine.ts'
import { userAddMachine } from '../../src/machines/users/user-add.machine.ts'
import { userEditMachine } from '../../src/machines/users/user-edit.machine.ts'
import { userInfoMachine } from '../../src/machines/users/user-info.machine.ts'
import { userPermissionsMachine } from '../../src/machines/users/user-permissions.machine.ts'
import { usersMachine } from '../../src/machines/users/users.machine.ts'

const still = createMachine({ id: 'still' })

/** As `defineStreamPage` of src/wiring connects them. */
const around = (content: AnyStateMachine, isForAdmins: boolean): AnyStateMachine =>
  streamPageMachine.provide({
    actors: { content },
    guards: { mayEnter: (_args, { stream, user }) => !isForAdmins || canAdminister(stream, user) },
  })

/** The machine of every page, as src/wiring/pages.ts loads it; null for a redirect. */
export const pages: Readonly<Record<RouteName, AnyStateMachine | null>> = {
  main: null,
  streams: streamsMachine,
  mosaics: mosaicsMachine,
  auth: signInMachine,
  recoverPassword: recoveryMachine,
  init: initMachine,
  profile: null,
  profileInfo: profileInfoMachine,
  profileEdit: profileEditMachine,
  tokens: tokensMachine,
  sessions: sessionsMachine,
  userAdd: userAddMachine,
  user: null,
  userInfo: userInfoMachine,
  userEdit: userEditMachine,
  userPermission: userPermissionsMachine,
  userSessions: sessionsMachine,
  streamView: playerPageMachine,
  stream: null,
  streamInfo: around(streamInfoMachine, false),
  streamSettings: around(streamSettingsMachine, true),
  streamMasks: around(masksMachine, true),
  streamPermissions: around(streamPermissionsMachine, true),
  streamDebug: around(streamDebugMachine, true),
  addStream: addStreamMachine,
  createMosaic: mosaicEditMachine,
  mosaic: mosaicMachine,
  mosaicEdit: mosaicEditMachine,
  plans: plansMachine,
  plan: planMachine,
  planEdit: planEditMachine,
  administration: null,
  statistics: statisticsMachine,
  configuration: configurationMachine,
  users: usersMachine,
  groups: groupsMachine,
  group: groupMachine,
  cluster: clusterMachine,
  license: licenseMachine,
  serverDebug: serverDebugMachine,
  tunnel: tunnelMachine,
  auditLogs: auditMachine,
  alerts: alertsMachine,
  licenseShortcut: null,
  bookmarks: bookmarksMachine,
  events: eventsMachine,
  exports: exportsMachine,
  help: still,
  swagger: apiDocumentationMachine,
  notFound: null,
}
