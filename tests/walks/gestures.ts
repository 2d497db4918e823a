import type { AnyEventObject, AnyStateMachine, EventFrom } from 'xstate'
import { clusterMachine } from '../../src/machines/administration/administration.machines.ts'
import { configurationMachine } from '../../src/machines/administration/configuration.machine.ts'
import { serverDebugMachine } from '../../src/machines/administration/server-debug.machine.ts'
import { alertsMachine } from '../../src/machines/alerts/alerts.machine.ts'
import { apiDocumentationMachine } from '../../src/machines/api-documentation/api-documentation.machine.ts'
import { appMachine } from '../../src/machines/app/app.machine.ts'
import { bookmarksMachine } from '../../src/machines/bookmarks/bookmarks.machine.ts'
import { clipsMachine } from '../../src/machines/clips/clips.machine.ts'
import { eventsMachine } from '../../src/machines/events/events.machine.ts'
import { formMachineOf } from '../../src/machines/form/form.machine.ts'
import { healthMachine } from '../../src/machines/health/health.machine.ts'
import { Alert } from '../../src/api/contract/alerts.ts'
import { Export } from '../../src/api/contract/exports.ts'
import { Plan } from '../../src/api/contract/plans.ts'
import { exportCheckMachine } from '../../src/machines/exports/export-check.machine.ts'
import { exportDraftMachine } from '../../src/machines/exports/export-draft.machine.ts'
import { exportsMachine } from '../../src/machines/exports/exports.machine.ts'
import { groupMachine } from '../../src/machines/groups/group.machine.ts'
import { groupsMachine } from '../../src/machines/groups/groups.machine.ts'
import { locksMachine } from '../../src/machines/locks/locks.machine.ts'
import { tailMachine } from '../../src/machines/log-tail/tail.machine.ts'
import { masksMachine } from '../../src/machines/masks/masks.machine.ts'
import { syncPlaybackMachine } from '../../src/machines/mosaics/sync-playback.machine.ts'
import { mosaicEditMachine } from '../../src/machines/mosaics/mosaic-edit.machine.ts'
import { mosaicMachine } from '../../src/machines/mosaics/mosaic.machine.ts'
import { notificationsMachine } from '../../src/machines/notifications/notifications.machine.ts'
import { paletteMachine } from '../../src/machines/palette/palette.machine.ts'
import { clipMachine } from '../../src/machines/player/clip.machine.ts'
import { mediaMachine } from '../../src/machines/player/media.machine.ts'
import { planEditMachine } from '../../src/machines/plans/plan-edit.machine.ts'
import { planMachine } from '../../src/machines/plans/plan.machine.ts'
import { plansMachine } from '../../src/machines/plans/plans.machine.ts'
import { playerPageMachine } from '../../src/machines/player/page.machine.ts'
import { playerMachine } from '../../src/machines/player/player.machine.ts'
import { selectionMachine } from '../../src/machines/player/selection.machine.ts'
import { passkeysMachine } from '../../src/machines/profile/passkeys.machine.ts'
import { motionMachine } from '../../src/machines/motion/motion.machine.ts'
import { ptzMachine } from '../../src/machines/ptz/ptz.machine.ts'
import { secondFactorMachine } from '../../src/machines/profile/second-factor.machine.ts'
import { recoveryMachine } from '../../src/machines/recovery/recovery.machine.ts'
import { initMachine } from '../../src/machines/session/init.machine.ts'
import { signInMachine } from '../../src/machines/session/sign-in.machine.ts'
import { sessionsMachine } from '../../src/machines/sessions/sessions.machine.ts'
import { sidePanelMachine } from '../../src/machines/side-panel/side-panel.machine.ts'
import { addStreamMachine } from '../../src/machines/stream-pages/add-stream.machine.ts'
import { batchMachine } from '../../src/machines/stream-pages/batch.machine.ts'
import { findCamerasMachine } from '../../src/machines/stream-pages/find-cameras.machine.ts'
import { streamPermissionsMachine } from '../../src/machines/stream-pages/permissions.machine.ts'
import { probingMachine } from '../../src/machines/stream-pages/probing.machine.ts'
import { removalMachine } from '../../src/machines/stream-pages/removal.machine.ts'
import { shareMachine } from '../../src/machines/stream-pages/share.machine.ts'
import { streamPageMachine } from '../../src/machines/stream-pages/stream-page.machine.ts'
import { userSearchMachine } from '../../src/machines/stream-pages/user-search.machine.ts'
import { streamMachine } from '../../src/machines/stream/stream.machine.ts'
import { bulkMachine } from '../../src/machines/streams/bulk.machine.ts'
import { pagingMachine } from '../../src/machines/streams/paging.machine.ts'
import { previewsMachine } from '../../src/machines/streams/previews.machine.ts'
import { streamsMachine } from '../../src/machines/streams/streams.machine.ts'
import { timelineListsMachine } from '../../src/machines/timeline/timeline-lists.machine.ts'
import { thumbnailsMachine } from '../../src/machines/timeline/thumbnails.machine.ts'
import { timelineMachine } from '../../src/machines/timeline/timeline.machine.ts'
import { tokensMachine } from '../../src/machines/tokens/tokens.machine.ts'
import { userTokensMachine } from '../../src/machines/tokens/user-tokens.machine.ts'
import { userEditMachine } from '../../src/machines/users/user-edit.machine.ts'
import { userInfoMachine } from '../../src/machines/users/user-info.machine.ts'
import { userPermissionsMachine } from '../../src/machines/users/user-permissions.machine.ts'
import { usersMachine } from '../../src/machines/users/users.machine.ts'
import { streamOf } from '../fixtures/replies.ts'
import { beginning } from './answers.ts'

/** What a view may send each machine at any time, by the machine's id. */
const of = <Machine extends AnyStateMachine>(
  { id }: Machine,
  events: readonly EventFrom<Machine>[],
): [string, readonly AnyEventObject[]] => [id, events]

const hour = 3_600_000
const minutesAgo = (minutes: number) => beginning - minutes * 60_000
const stream = streamOf({ name: 'Gate', meta: { canAdmin: true } })
const others = ['yard', 'dock'].map((uid) => ({ ...stream, uid, name: uid }))
const found = {
  query: { groupType: 'none', sortType: 'date', isOnlyAvailable: false, searchingValues: [] },
  listing: { total: 120, pageSize: 50, pages: { 1: [stream] } },
} as const
const keys = ['0.0.1.1.gate', '1.0.1.1.yard']
const bookmark = { id: 'b1', streamId: 'gate', time: minutesAgo(1), note: 'the van' }
const passkey = { id: 'k1', name: 'Phone', host: 'localhost', createTime: beginning, lastUsedTime: null }
const moves = [
  { type: 'timeline.zoomedIn' },
  { type: 'timeline.zoomedOut' },
  { type: 'timeline.movedEarlier' },
  { type: 'timeline.movedLater' },
  { type: 'timeline.zoomedAt', factor: 3, at: minutesAgo(30) },
  { type: 'timeline.centred', at: minutesAgo(300) },
  { type: 'timeline.panned', to: minutesAgo(700) },
  { type: 'timeline.resized', width: 900 },
] as const
const moments = [1, 30, 300, 0].map((minutes) => ({ type: 'moment.requested', at: minutesAgo(minutes) }) as const)
const anyForm = formMachineOf<
  { name: string; login: string; password: string; email: string; text: string; note: string },
  object
>()
const filled = {
  name: 'new',
  login: 'new',
  password: 'correct horse',
  email: 'a@example.org',
  text: 'KEY',
  note: 'the van',
  code: '123456',
}

export const gestures: ReadonlyMap<string, readonly AnyEventObject[]> = new Map([
  of(appMachine, [
    { type: 'session.closeRequested' },
    { type: 'page.retried' },
    { type: 'reload.requested' },
    { type: 'theme.chosen', theme: 'light' },
    { type: 'keyReach.chosen', keyReach: 'focus' },
    { type: 'language.chosen', language: 'ru' },
    { type: 'server.initialized' },
    { type: 'server.missed' },
    { type: 'server.answered' },
    { type: 'settings.outdated' },
    { type: 'navigation.requested', href: '/stream/gate/view' },
  ]),
  of(notificationsMachine, [
    { type: 'notification.dismissed', id: '1' },
    { type: 'reading.started' },
    { type: 'reading.ended' },
  ]),
  of(healthMachine, [
    { type: 'warning.dismissed', code: 'DISK_ALMOST_FULL', at: beginning },
    { type: 'health.checkRequested' },
  ]),
  of(signInMachine, [
    { type: 'credentials.edited', login: 'ann', password: 'correct horse' },
    { type: 'credentials.submitted' },
    { type: 'credentials.edited', code: '123456' },
    { type: 'password.requested' },
    { type: 'passkey.requested' },
  ]),
  of(secondFactorMachine, [
    { type: 'factor.addRequested' },
    { type: 'factor.removeRequested' },
    { type: 'factor.cancelled' },
    { type: 'codes.kept' },
  ]),
  of(passkeysMachine, [
    { type: 'list.retried' },
    { type: 'passkey.addRequested' },
    { type: 'passkey.renameRequested', passkey },
    { type: 'passkey.removeRequested', passkey },
    { type: 'passkey.cancelled' },
    { type: 'removal.confirmed' },
  ]),
  of(initMachine, [{ type: 'signIn.requested' }]),
  of(recoveryMachine, [
    { type: 'recovery.edited', values: { email: 'a@example.org', code: '123456', password: 'correct horse' } },
    { type: 'code.requested' },
    { type: 'reset.submitted' },
  ]),
  of(anyForm, [
    { type: 'form.edited', values: filled },
    { type: 'form.submitted' },
    { type: 'form.cancelled' },
    { type: 'leave.confirmed' },
    { type: 'leave.cancelled' },
  ]),
  of(clusterMachine, [
    { type: 'resource.retried' },
    { type: 'command.requested', command: { kind: 'remove', id: 'n1' } },
  ]),
  of(streamsMachine, [
    { type: 'list.viewed', viewport: { top: 0, height: 900, width: 1440 } },
    { type: 'list.retried' },
    { type: 'grouping.switched' },
    { type: 'table.switched' },
    { type: 'availability.switched' },
    { type: 'search.added', value: 'gate' },
    { type: 'search.cleared' },
    { type: 'sort.chosen', sortType: 'name' },
    { type: 'stream.pauseRequested', uid: 'gate' },
    { type: 'stream.resumeRequested', uid: 'yard' },
  ]),
  of(sidePanelMachine, [{ type: 'panel.toggled' }, { type: 'panel.dismissed' }, { type: 'panel.pressedOutside' }]),
  of(previewsMachine, [
    {
      type: 'previews.requested',
      subjects: [
        { uid: 'gate', isMoving: true },
        { uid: 'yard', isMoving: false },
      ],
    },
    { type: 'previews.requested', subjects: [{ uid: 'dock', isMoving: true }] },
  ]),
  of(bulkMachine, [
    { type: 'choice.toggled', stream },
    { type: 'choice.extended', streams: others },
    { type: 'choice.cleared' },
    { type: 'choice.allRequested', gathering: found, isAdmin: true },
    { type: 'gathering.cancelled' },
    { type: 'job.requested', job: { kind: 'pause' } },
    { type: 'job.requested', job: { kind: 'tag', added: ['yard'], removed: [] } },
    { type: 'job.cancelled' },
    { type: 'job.retried' },
    { type: 'tagging.requested' },
    { type: 'tagging.cancelled' },
    { type: 'removal.requested' },
    { type: 'removal.purgeChosen', withArchive: false },
    { type: 'removal.confirmed' },
    { type: 'removal.cancelled' },
  ]),
  of(playerPageMachine, [{ type: 'stream.retried' }]),
  of(playerMachine, [
    ...moments,
    { type: 'live.requested' },
    { type: 'play.requested' },
    { type: 'pause.requested' },
    { type: 'retry.requested' },
    { type: 'speed.chosen', rate: 4 },
    { type: 'reverse.requested', rate: -4 },
    { type: 'volume.chosen', volume: 0.3 },
    { type: 'mute.toggled' },
    { type: 'step.requested', direction: -1 },
    { type: 'skip.requested', to: 'fragment', direction: 1, at: minutesAgo(60) },
    { type: 'skip.requested', to: 'fragment', direction: -1, at: minutesAgo(60) },
    { type: 'skip.requested', to: 'annotation', direction: 1, at: minutesAgo(60) },
    { type: 'loop.toggled' },
    { type: 'zone.chosen', choice: 'server' },
    { type: 'fullScreen.toggled' },
    { type: 'panel.opened', panel: 'calendar', at: minutesAgo(5) },
    { type: 'panel.opened', panel: 'download', at: minutesAgo(5) },
    { type: 'panel.opened', panel: 'bookmark', at: minutesAgo(5) },
    { type: 'panel.closed' },
    { type: 'snapshot.requested' },
  ]),
  of(selectionMachine, [
    { type: 'selection.inMarked', at: minutesAgo(20) },
    { type: 'selection.outMarked', at: minutesAgo(10) },
    { type: 'selection.spanned', from: minutesAgo(40), to: minutesAgo(35) },
    { type: 'selection.cleared' },
  ]),
  of(clipMachine, [
    { type: 'clip.edited', from: '2026-11-21 11:00:00', to: '2026-11-21 11:05:00' },
    { type: 'clip.confirmed' },
  ]),
  of(timelineMachine, [
    ...moves,
    { type: 'timeline.pickRequested', at: minutesAgo(20) },
    { type: 'timeline.pickRequested', at: minutesAgo(900) },
    { type: 'timeline.shown', at: null, span: hour },
  ]),
  of(timelineListsMachine, [
    { type: 'lists.toggled' },
    { type: 'lists.closed' },
    { type: 'list.opened', list: 'motion' },
    { type: 'annotationType.toggled', annotationType: 'line' },
  ]),
  of(thumbnailsMachine, [
    { type: 'thumbnails.toggled' },
    { type: 'thumbnails.viewed', moments: [minutesAgo(20), minutesAgo(19)] },
  ]),
  of(mediaMachine, [{ type: 'media.retried' }]),
  of(streamMachine, [
    { type: 'stream.retried' },
    { type: 'stream.pauseRequested' },
    { type: 'stream.resumeRequested' },
  ]),
  of(mosaicMachine, [
    { type: 'mosaic.retried' },
    { type: 'mosaic.paused' },
    { type: 'alarm.toggled' },
    { type: 'mosaic.resumed' },
    { type: 'archive.opened' },
    { type: 'archive.closed' },
    { type: 'tile.focused', key: keys[0] ?? null },
    { type: 'tile.enlarged', key: keys[1] ?? null },
    { type: 'digit.typed', digit: '1' },
    ...keys.flatMap((key) => [true, false].map((isSeen) => ({ type: 'tile.seen', key, isSeen }) as const)),
  ]),
  of(syncPlaybackMachine, [
    ...moves,
    ...moments,
    { type: 'moment.shared', at: minutesAgo(90) },
    { type: 'live.requested' },
    { type: 'play.requested' },
    { type: 'pause.requested' },
    { type: 'speed.chosen', rate: 8 },
    { type: 'reverse.requested', rate: -4 },
    { type: 'selection.inMarked', at: minutesAgo(20) },
    { type: 'selection.outMarked', at: minutesAgo(10) },
    { type: 'selection.cleared' },
    { type: 'step.requested', direction: 1 },
    ...keys.flatMap(
      (key) =>
        [
          { type: 'tile.leftLive', key },
          { type: 'tile.joined', key },
          { type: 'track.seen', key, isSeen: true },
        ] as const,
    ),
  ]),
  of(mosaicEditMachine, [
    { type: 'mosaic.retried' },
    { type: 'grid.changed', grid: { columns: 3, rows: 3, cells: [] } },
    { type: 'grid.undone' },
  ]),
  of(streamPageMachine, [{ type: 'stream.retried' }]),
  of(shareMachine, [
    { type: 'share.requested' },
    { type: 'share.withdrawalRequested' },
    { type: 'share.withdrawalConfirmed' },
    { type: 'share.withdrawalCancelled' },
  ]),
  of(removalMachine, [
    { type: 'removal.requested' },
    { type: 'removal.purgeChosen', withArchive: false },
    { type: 'removal.confirmed' },
    { type: 'removal.cancelled' },
  ]),
  of(probingMachine, [
    { type: 'probe.requested', subject: { streamId: 'gate' } },
    { type: 'probe.cancelled' },
    { type: 'probe.outdated' },
  ]),
  of(masksMachine, [
    { type: 'stroke.begun', stroke: { kind: 'draw', from: { x: 0.1, y: 0.1 }, to: { x: 0.1, y: 0.1 } } },
    { type: 'stroke.continued', to: { x: 0.4, y: 0.6 } },
    { type: 'stroke.ended' },
    { type: 'stroke.cancelled' },
    { type: 'mask.chosen', index: 0 },
    { type: 'mask.added' },
    { type: 'mask.moved', index: 0, by: { x: 0.1, y: 0 } },
    { type: 'mask.resized', index: 0, by: { x: 0, y: 0.1 } },
    { type: 'mask.removed', index: 0 },
    { type: 'change.undone' },
  ]),
  of(streamPermissionsMachine, [{ type: 'permissions.retried' }]),
  of(userSearchMachine, [
    { type: 'login.edited', login: 'an' },
    { type: 'login.edited', login: '' },
  ]),
  of(tailMachine, [
    { type: 'tail.paused' },
    { type: 'tail.resumed' },
    { type: 'tail.cleared' },
    { type: 'tail.levelChosen', level: 'error' },
    { type: 'tail.filterEdited', filter: 'x' },
  ]),
  of(addStreamMachine, [{ type: 'several.chosen' }, { type: 'one.chosen' }, { type: 'finding.chosen' }]),
  of(findCamerasMachine, [
    { type: 'search.requested' },
    { type: 'search.cancelled' },
    { type: 'address.edited', address: '10.0.0.9' },
    { type: 'address.added' },
    { type: 'camera.toggled', id: 'c1' },
    { type: 'cameras.toggled' },
    { type: 'credentials.edited', credentials: { login: 'ann', password: 'x' } },
    { type: 'cameras.queried' },
    { type: 'querying.cancelled' },
    { type: 'cameras.chosen' },
  ]),
  of(batchMachine, [
    { type: 'batch.edited', text: 'Gate, rtsp://10.0.0.5/1\nYard, rtsp://10.0.0.6/1' },
    { type: 'credentials.edited', credentials: { login: 'ann', password: 'x' } },
    { type: 'batch.submitted' },
    { type: 'batch.cancelled' },
  ]),
  of(usersMachine, [
    { type: 'list.retried' },
    { type: 'query.changed', query: 'an' },
    { type: 'order.chosen', by: 'role' },
  ]),
  of(userInfoMachine, [
    { type: 'user.retried' },
    ...(['block', 'unblock', 'delete'] as const).map((change) => ({ type: 'change.requested', change }) as const),
    { type: 'change.confirmed' },
    { type: 'change.cancelled' },
  ]),
  of(userEditMachine, [{ type: 'user.retried' }]),
  of(userPermissionsMachine, [
    { type: 'list.retried' },
    { type: 'search.changed', searched: 'gate' },
    { type: 'granted.toggled' },
    { type: 'rows.chosen', streams: others, isChosen: true },
    { type: 'choice.cleared' },
    { type: 'choice.allRequested', gathering: found },
    { type: 'gathering.cancelled' },
    { type: 'right.changed', streams: others, right: 'canView', isGranted: true },
  ]),
  of(pagingMachine, [{ type: 'rows.viewed', first: 0, last: 60 }, { type: 'list.retried' }]),
  of(sessionsMachine, [
    { type: 'list.retried' },
    { type: 'end.requested', session: { id: 's1', userAgent: '', ip: '', isCurrent: false } },
    { type: 'endOthers.requested' },
    { type: 'end.confirmed' },
    { type: 'end.cancelled' },
  ]),
  of(tokensMachine, [
    { type: 'list.retried' },
    { type: 'create.requested' },
    { type: 'create.cancelled' },
    { type: 'secret.copied', text: 'secret' },
    { type: 'secret.hidden' },
    { type: 'delete.requested', token: { id: 't1', name: 'script' } },
    { type: 'delete.confirmed' },
    { type: 'delete.cancelled' },
  ]),
  of(userTokensMachine, [
    { type: 'list.retried' },
    { type: 'revoke.requested', token: { id: 't1', name: 'script' } },
    { type: 'revoke.confirmed' },
    { type: 'revoke.cancelled' },
  ]),
  of(bookmarksMachine, [
    { type: 'list.retried' },
    { type: 'query.changed', query: 'van' },
    { type: 'edit.requested', bookmark },
    { type: 'edit.cancelled' },
    { type: 'delete.requested', bookmark },
    { type: 'delete.confirmed' },
    { type: 'delete.cancelled' },
  ]),
  of(eventsMachine, [{ type: 'resource.retried' }]),
  of(exportDraftMachine, [
    { type: 'export.requested', range: { from: minutesAgo(150), to: minutesAgo(1) }, now: beginning, zone: 'UTC' },
    { type: 'ranges.kept' },
    { type: 'range.removed', index: 0 },
    { type: 'dialog.closed' },
  ]),
  of(exportCheckMachine, [
    { type: 'file.chosen', name: 'export.zip', file: new Blob() },
    { type: 'key.changed', key: 'key' },
  ]),
  of(exportsMachine, [
    { type: 'delete.requested', item: Export.parse({ id: 'e1' }) },
    { type: 'delete.confirmed' },
    { type: 'delete.cancelled' },
  ]),
  of(alertsMachine, [
    { type: 'add.requested' },
    { type: 'edit.requested', alert: Alert.parse({ id: 'a1' }) },
    { type: 'delete.requested', alert: Alert.parse({ id: 'a1' }) },
    { type: 'delete.confirmed' },
    { type: 'dialog.closed' },
    { type: 'test.requested', alert: Alert.parse({ id: 'a1' }) },
    { type: 'push.requested', key: 'key', index: 0 },
  ]),
  of(groupsMachine, [
    { type: 'search.changed', searched: 'gu' },
    { type: 'add.requested', kind: 'users' },
    { type: 'delete.requested', group: { id: 'g1', kind: 'users', name: 'Guards', memberCount: 1 } },
    { type: 'delete.confirmed' },
    { type: 'dialog.closed' },
  ]),
  of(groupMachine, [
    { type: 'group.retried' },
    { type: 'search.changed', searched: 'an' },
    { type: 'members.toggled' },
    { type: 'members.changed', ids: ['ann', 'bob'], isMember: true },
    {
      type: 'right.changed',
      target: { streamGroupId: 'g2', name: 'Yard', canView: false, canViewArchive: false, canAdmin: false },
      right: 'canView',
      isGranted: true,
    },
  ]),
  of(plansMachine, [
    { type: 'add.requested' },
    { type: 'delete.requested', plan: Plan.parse({ id: 'p1' }) },
    { type: 'delete.confirmed' },
    { type: 'dialog.closed' },
  ]),
  of(planMachine, [
    { type: 'camera.pointed', uid: 'gate' },
    { type: 'camera.pointed', uid: null },
    { type: 'choice.toggled' },
    { type: 'camera.toggled', uid: 'gate' },
    { type: 'choice.cleared' },
    { type: 'mosaic.requested' },
  ]),
  of(planEditMachine, [
    { type: 'plan.retried' },
    { type: 'search.changed', searched: 'ga' },
    { type: 'stroke.begun', stroke: { kind: 'move', uid: 'gate', from: { x: 0.5, y: 0.5 }, to: { x: 0.5, y: 0.5 } } },
    { type: 'stroke.continued', to: { x: 0.7, y: 0.5 } },
    { type: 'stroke.ended' },
    { type: 'stroke.cancelled' },
    { type: 'camera.chosen', uid: 'gate' },
    { type: 'camera.changed', change: { kind: 'add', uid: 'yard', at: { x: 0.2, y: 0.2 } } },
    { type: 'camera.changed', change: { kind: 'remove', uid: 'gate' } },
    { type: 'picture.chosen', file: new Blob() },
    { type: 'change.undone' },
  ]),
  of(ptzMachine, [
    { type: 'pad.toggled' },
    { type: 'move.begun', velocity: { pan: 0.5, tilt: 0, zoom: 0 } },
    { type: 'move.ended' },
    { type: 'goal.chosen', goal: { preset: '1' } },
    { type: 'name.edited', name: 'Yard' },
    { type: 'preset.saved' },
    { type: 'removal.requested', preset: { token: '1', name: 'Gate' } },
    { type: 'removal.confirmed' },
    { type: 'removal.cancelled' },
  ]),
  of(motionMachine, [
    { type: 'area.changed', area: { x: 0.1, y: 0.1, w: 0.5, h: 0.5 } },
    { type: 'period.chosen', searchPeriod: 'hour' },
    { type: 'sensitivity.chosen', sensitivity: 80 },
    { type: 'search.requested', now: beginning, visible: { from: minutesAgo(60), to: minutesAgo(0) } },
    { type: 'search.cancelled' },
    { type: 'search.retried' },
  ]),
  of(locksMachine, [
    { type: 'lock.requested', range: { from: minutesAgo(2), to: minutesAgo(1) } },
    { type: 'list.requested' },
    { type: 'list.retried' },
    { type: 'dialog.closed' },
    {
      type: 'unlock.requested',
      lock: { id: 'l1', startTime: minutesAgo(2), endTime: minutesAgo(1), reason: '', login: '' },
    },
    { type: 'unlock.confirmed' },
    { type: 'unlock.cancelled' },
  ]),
  of(configurationMachine, [{ type: 'resource.retried' }, { type: 'version.restored', values: { title: 'Old' } }]),
  of(serverDebugMachine, [{ type: 'bundle.requested' }]),
  of(apiDocumentationMachine, [
    { type: 'resource.retried' },
    { type: 'search.edited', search: 'stream' },
    { type: 'token.edited', token: 't' },
    { type: 'operation.selected', id: 'DELETE /v1/stream/{uid}' },
    { type: 'parameter.edited', name: 'uid', value: 'gate' },
    { type: 'body.edited', body: '{' },
    { type: 'request.submitted' },
    { type: 'request.confirmed' },
    { type: 'request.cancelled' },
  ]),
  of(clipsMachine, [
    { type: 'clips.cancelled', id: 1 },
    { type: 'clips.retried', id: 1 },
    { type: 'clips.dismissed', id: 1 },
    { type: 'clips.cleared' },
  ]),
  of(paletteMachine, [
    {
      type: 'palette.toggled',
      scope: {
        now: beginning,
        zone: 'Europe/Berlin',
        stream: { uid: 'gate', name: 'Gate' },
        mosaic: null,
        search: '',
        pages: [{ href: '/help', label: 'Help' }],
        isAdmin: true,
      },
    },
    { type: 'palette.dismissed' },
    { type: 'query.edited', query: 'gate 10:30' },
    { type: 'query.edited', query: 'yesterday' },
    { type: 'choice.moved', to: 'next' },
    { type: 'choice.taken' },
    { type: 'search.retried' },
  ]),
])
