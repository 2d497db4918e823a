import { type AnyEventObject } from 'xstate'
import { expect, test } from 'vitest'
import { configurationOf, ok, refused, settingsOf, userOf } from '../../../tests/fixtures/replies.ts'
import { inputOf } from '../../../tests/machines/console.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { clipsMachine } from '../clips/clips.machine.ts'
import { paletteMachine } from '../palette/palette.machine.ts'
import type { AppEvent, Subject } from './app.events.ts'
import { appMachine } from './app.machine.ts'

const reader = userOf({ name: 'rob', isAdmin: false, maxStreamCreation: 0 })
const subject: Subject = { kind: 'stream', id: 'gate', name: 'Gate', canAdmin: true }

test('every edge of the chart is walked', () => {
  const at = (pathname: string, search = '') =>
    ({ type: 'location.changed', address: { pathname, search, hash: '' } }) as const
  const own = {
    'location.changed': [
      at('/help'),
      at('/help', '?a=1'),
      at('/auth'),
      at('/nowhere'),
      at('/administration/stats'),
      at('/stream/gate/view'),
    ],
    'boot.settled': [{ type: 'boot.settled' }],
    'navigation.requested': [{ type: 'navigation.requested', href: '/help' }],
    'session.opened': [{ type: 'session.opened', mustChangePassword: true }],
    'session.started': [{ type: 'session.started', user: userOf() }],
    'session.replaced': [{ type: 'session.replaced', login: 'someone' }],
    'session.closeRequested': [{ type: 'session.closeRequested' }],
    'session.closeGranted': [{ type: 'session.closeGranted' }],
    'wire.unauthorized': [{ type: 'wire.unauthorized' }],
    'wire.locked': [{ type: 'wire.locked' }],
    'server.initialized': [{ type: 'server.initialized' }],
    'settings.outdated': [{ type: 'settings.outdated' }],
    'server.missed': [{ type: 'server.missed' }],
    'server.answered': [{ type: 'server.answered' }],
    'server.updated': [{ type: 'server.updated' }],
    'reload.requested': [{ type: 'reload.requested' }],
    'user.changed': [{ type: 'user.changed', user: reader }],
    'user.patched': [{ type: 'user.patched', changes: { fullName: 'Rob' } }],
    'password.changed': [{ type: 'password.changed' }],
    'factor.added': [{ type: 'factor.added' }],
    'language.chosen': [{ type: 'language.chosen', language: 'ru' }],
    'theme.chosen': [{ type: 'theme.chosen', theme: 'light' }],
    'keyReach.chosen': [{ type: 'keyReach.chosen', keyReach: 'focus' }],
    'version.found': [{ type: 'version.found', newVersion: { version: '5.0', url: 'https://example.org/5.0' } }],
    'page.described': [{ type: 'page.described', subject }],
    'page.missing': [{ type: 'page.missing' }],
    'page.retried': [{ type: 'page.retried' }],
    'palette.loaded': [{ type: 'palette.loaded', logic: paletteMachine }],
    'clips.loaded': [{ type: 'clips.loaded', logic: clipsMachine }],
  } satisfies { [Type in Exclude<AppEvent['type'], `xstate.${string}`>]: Extract<AppEvent, { type: Type }>[] }
  const booted = {
    configuration: null,
    isConfigured: true,
    settings: settingsOf(),
    settingsApiError: null,
    user: userOf(),
    userApiError: null,
  }
  const failed = { error: new Error('broken') }
  const events: AnyEventObject[] = [
    ...Object.values(own).flat(),
    { type: 'xstate.done.actor.boot', output: booted },
    { type: 'xstate.done.actor.boot', output: { ...booted, isConfigured: false, settings: null, user: null } },
    { type: 'xstate.done.actor.boot', output: { ...booted, user: null } },
    ...[ok(userOf()), refused(401, ''), refused(500, '')].map((output) => ({
      type: 'xstate.done.actor.fetchUser',
      output,
    })),
    ...[ok(configurationOf()), refused(500, '')].map((output) => ({
      type: 'xstate.done.actor.fetchConfiguration',
      output,
    })),
    ...[ok(settingsOf()), refused(500, '')].map((output) => ({ type: 'xstate.done.actor.fetchSettings', output })),
    ...['saveLanguage', 'signOut'].flatMap((id) =>
      [ok({}), refused(500, '')].map((output) => ({ type: `xstate.done.actor.${id}`, output })),
    ),
    { type: 'xstate.done.actor.loadPage', output: null },
    ...['boot', 'fetchConfiguration', 'fetchUser', 'fetchSettings', 'saveLanguage', 'signOut', 'loadPage'].map(
      (id) => ({ type: `xstate.error.actor.${id}`, ...failed }),
    ),
    { type: 'xstate.error.actor', actorId: 'page', ...failed },
  ]
  const mute = () => undefined
  const machine = appMachine.provide({
    guards: { isPageFailure: ({ event }) => 'actorId' in event && event.actorId === 'page' },
  })
  const walked = walkEdges(machine, {
    model: machine.provide({
      actions: {
        askHealth: mute,
        raiseApiError: mute,
        raiseSettingsFailure: mute,
        withdrawSettingsFailure: mute,
        stopPage: mute,
      },
    }),
    input: inputOf('/help', { isShared: true }),
    events,
    /** Nothing else depends on whether the configuration is known. */
    name: ({ value, context: { route, isLocked, user, mustChangePassword, hasSettings, isIdentified } }) =>
      JSON.stringify(
        value.running !== undefined && value.running.configuration !== 'known'
          ? value.running.configuration
          : [
              value,
              value.running?.session === 'signedOut' && hasSettings && !isIdentified,
              route.name === 'streamView' && user === null && !isLocked,
              mustChangePassword && value.running?.page === 'active',
            ],
      ),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
