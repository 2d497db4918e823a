import { fromPromise } from 'xstate'
import { describe, expect, test } from 'vitest'
import { refused, userOf } from '../../../tests/fixtures/replies.ts'
import { startConsole, unauthorized } from '../../../tests/machines/console.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { SearchAnswer } from '../../api/contract/system.ts'
import type { Reply } from '../../api/reply.ts'
import type { ClipsEvent } from '../clips/clips.events.ts'
import { clipsMachine } from '../clips/clips.machine.ts'
import { paletteMachine } from '../palette/palette.machine.ts'

const pages = [{ href: '/help', label: 'Help' }]
const scope = { now: 0, zone: 'UTC', stream: null, mosaic: null, search: '', pages, isAdmin: true }
const clip = { uid: 'gate', name: 'Gate', from: 0, to: 60_000, zone: 'UTC', maxSeconds: 3600 }

/** The console with the palette and the downloads, whose search is refused. */
async function start(href = '/bookmarks') {
  const console = startConsole(href)
  await settle()
  const search = fromPromise<Reply<SearchAnswer>, { query: string }>(async () => refused(503, 'Unavailable'))
  const logic = paletteMachine.provide({ actors: { search } })
  for (const type of ['palette.loaded', 'palette.loaded'] as const) await console.send({ type, logic })
  for (const type of ['clips.loaded', 'clips.loaded'] as const) await console.send({ type, logic: clipsMachine })
  const { palette, clips } = console.context()
  if (palette === null || clips === null) throw new Error('the root runs neither')
  const sendClips = (event: ClipsEvent) => clips.send(event)
  return { ...console, palette, clips, sendClips, downloads: () => clips.getSnapshot().context.downloads.length }
}

describe('the palette and the downloads run below the root', () => {
  test('once, for as long as it does', async () => {
    const { actor, palette, clips } = await start()
    expect([palette.system === actor.system, clips.system === actor.system]).toEqual([true, true])
    expect([palette, clips].map(({ _parent }) => _parent === actor)).toEqual([true, true])
    actor.stop()
    expect([palette.getSnapshot().status, clips.getSnapshot().status]).toEqual(['stopped', 'stopped'])
  })

  test('their errors are shown in a toast', async () => {
    const { clock, palette, sendClips, toasts } = await start()
    palette.send({ type: 'palette.toggled', scope })
    palette.send({ type: 'query.edited', query: 'yard' })
    clock.increment(150)
    await settle()
    const shown = [toasts()]
    sendClips({ type: 'clips.requested', clip })
    sendClips({ type: 'download.refused', apiError: apiErrorOf(400, 'TimeRangeIsTooLong') })
    shown.push(toasts())
    sendClips({ type: 'clips.requested', clip })
    sendClips({ type: 'download.refused', apiError: apiErrorOf(401, 'AuthorizationRequired') })
    shown.push(toasts())
    const both = ['Unavailable', 'TimeRangeIsTooLong']
    expect(shown).toEqual([['Unavailable'], both, both])
  })

  test('a choice leads through the root, and another page closes the palette', async () => {
    const { palette, go, where } = await start()
    palette.send({ type: 'palette.toggled', scope })
    palette.send({ type: 'query.edited', query: 'help' })
    palette.send({ type: 'choice.taken' })
    await settle()
    expect([where(), palette.getSnapshot().value]).toEqual(['/help', 'closed'])
    palette.send({ type: 'palette.toggled', scope })
    await go('/help?a=1')
    expect(palette.getSnapshot().matches('open')).toBe(true)
    await go('/bookmarks')
    expect(palette.getSnapshot().value).toBe('closed')
  })

  test.each([
    ['signs out', { type: 'session.closeRequested' }],
    ['is signed out by a 401', { type: 'wire.unauthorized' }],
    ['is locked out', { type: 'wire.locked' }],
    ['is somebody else now', { type: 'user.changed', user: userOf({ name: 'rob' }) }],
  ] as const)('nothing of them is left where who was here %s', async (_, event) => {
    const { palette, sendClips, send, downloads, answers } = await start()
    answers.user = unauthorized
    palette.send({ type: 'palette.toggled', scope })
    palette.send({ type: 'query.edited', query: 'help' })
    sendClips({ type: 'clips.requested', clip })
    expect(downloads()).toBe(1)
    await send(event)
    expect([downloads(), palette.getSnapshot().value, palette.getSnapshot().context.query]).toEqual([0, 'closed', ''])
  })

  test('they stay where the same user is only changed', async () => {
    const { sendClips, send, downloads } = await start()
    sendClips({ type: 'clips.requested', clip })
    await send({ type: 'user.changed', user: userOf({ fullName: 'Ann Lee' }) })
    expect(downloads()).toBe(1)
  })
})

function apiErrorOf(status: number, code: string) {
  const reply = refused(status, code)
  if (reply.ok) throw new Error('it was taken')
  return reply.apiError
}
