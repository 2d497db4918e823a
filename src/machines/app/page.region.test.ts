import { setup } from 'xstate'
import { describe, expect, test } from 'vitest'
import { ok, refused, settingsOf } from '../../../tests/fixtures/replies.ts'
import { never, startConsole, unauthorized } from '../../../tests/machines/console.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { Settings } from '../../api/contract/settings.ts'
import type { Reply } from '../../api/reply.ts'
import type { Subject } from './app.events.ts'

const subject: Subject = { kind: 'stream', id: 'gate', name: 'Gate', canAdmin: true }

describe('the settings (docs/behaviour.md §3)', () => {
  const count = (calls: readonly string[]) => calls.filter((call) => call === 'settings').length

  test('are fetched again on each change of path, not of query or fragment', async () => {
    const { calls, go } = startConsole('/help')
    await settle()
    const counts = [count(calls)]
    for (const href of ['/bookmarks', '/bookmarks?a=1', '/bookmarks?a=1#b', '/bookmarks', '/help']) {
      await go(href)
      counts.push(count(calls))
    }
    expect(counts).toEqual([1, 2, 2, 2, 2, 3])
  })

  test('a later navigation cancels the fetch before', async () => {
    const { answers, aborted, calls, go, context } = startConsole('/help')
    await settle()
    answers.settings = never
    await go('/bookmarks')
    answers.settings = () => ok(settingsOf({ version: '5' }))
    await go('/streams')
    expect({
      aborted: aborted.filter((call) => call === 'settings').length,
      count: count(calls),
      version: context().settings.version,
    }).toEqual({
      aborted: 1,
      count: 3,
      version: '5',
    })
  })

  test('the last ones stay after a failed request, whose toast is withdrawn by the next success', async () => {
    const { answers, go, context, toasts } = startConsole('/help', {
      settings: () => ok(settingsOf({ version: '4.2' })),
    })
    await settle()
    answers.settings = () => refused(503, 'Unavailable')
    await go('/bookmarks')
    expect({ version: context().settings.version, toasts: toasts(), hasSettings: context().hasSettings }).toEqual({
      version: '4.2',
      toasts: ['Unavailable'],
      hasSettings: true,
    })
    answers.settings = () => ok(settingsOf({ version: '4.3' }))
    await go('/help')
    expect({ version: context().settings.version, toasts: toasts() }).toEqual({ version: '4.3', toasts: [] })
  })

  test('a fetch that failed is tried again when the server answers', async () => {
    const { answers, clock, go, context, toasts } = startConsole('/help')
    await settle()
    answers.settings = () => Promise.reject(new Error('broken'))
    await go('/bookmarks')
    expect(toasts()).toEqual(['NoResponse'])
    answers.settings = () => ok(settingsOf({ version: '4.3' }))
    clock.increment(60_000)
    await settle()
    expect({ version: context().settings.version, toasts: toasts() }).toEqual({ version: '4.3', toasts: [] })
  })

  test('are fetched again when they are outdated', async () => {
    const { calls, send } = startConsole('/help')
    await settle()
    await send({ type: 'settings.outdated' })
    expect(count(calls)).toBe(2)
  })
})

describe('the page', () => {
  test('is stopped when it is left, and the next one starts with its params', async () => {
    const { go, pages, scrolls } = startConsole('/stream/gate/info')
    await settle()
    await go('/stream/yard/info')
    await go('/user/rob/edit')
    expect({ pages, scrolls: scrolls.count }).toEqual({
      pages: [
        'streamInfogate started for ann',
        'streamInfo stopped',
        'streamInfoyard started for ann',
        'streamInfo stopped',
        'userEditrob started for ann',
      ],
      scrolls: 2,
    })
  })

  test('gets a new query or fragment, and stays', async () => {
    const { go, pages, scrolls } = startConsole('/help')
    await settle()
    await go('/help?topic=keys')
    await go('/help?topic=keys#zoom')
    expect({ pages, scrolls: scrolls.count }).toEqual({
      pages: [
        'help started for ann',
        'help got address.changed ?topic=keys',
        'help got address.changed ?topic=keys#zoom',
      ],
      scrolls: 0,
    })
  })

  test('whose code arrives after the next navigation never starts', async () => {
    let deliver: (logic: null) => void = () => undefined
    const { answers, go, pages } = startConsole('/help', { page: () => new Promise((resolve) => (deliver = resolve)) })
    await settle()
    answers.page = () => null
    await go('/bookmarks')
    deliver(null)
    await settle()
    expect(pages).toEqual(['bookmarks started for ann'])
  })

  test("whose code can't be loaded says so, and is loaded again on request", async () => {
    const { answers, send, state, pages } = startConsole('/help', { page: () => Promise.reject(new Error('gone')) })
    await settle()
    expect(state()).toMatchObject({ running: { page: 'broken' } })
    answers.page = () => null
    await send({ type: 'page.retried' })
    expect(pages).toEqual(['help started for ann'])
  })

  test('whose machine throws is broken, and the console lives', async () => {
    const failing = setup({
      actions: {
        fail: () => {
          throw new Error('a fault of the page')
        },
      },
    }).createMachine({ on: { 'address.changed': { actions: 'fail' } } })
    const { answers, actor, go, state, pages } = startConsole('/help', { page: () => failing })
    await settle()
    await go('/help?a=1')
    expect({ status: actor.getSnapshot().status, state: state() }).toMatchObject({
      status: 'active',
      state: { running: { page: 'broken' } },
    })
    answers.page = () => null
    await go('/bookmarks')
    expect(pages).toEqual(['bookmarks started for ann'])
  })

  test("whose object doesn't exist leads to not-found, without a history entry", async () => {
    const { send, steps, where, toasts, state } = startConsole('/stream/gate/info')
    await settle()
    await send({ type: 'page.missing' })
    expect({ steps, where: where(), toasts: toasts(), state: state() }).toMatchObject({
      steps: ['=/not-found'],
      where: '/not-found',
      toasts: [],
      state: { running: { page: 'missing' } },
    })
  })

  test('of a feature that the server lacks is missing until the settings have the feature', async () => {
    const { answers, go, pages, state } = startConsole('/help')
    await settle()
    const answer = Promise.withResolvers<Reply<Settings>>()
    answers.settings = () => answer.promise
    await go('/events')
    expect(state()).toMatchObject({ running: { page: 'missing' } })
    answer.resolve(ok(settingsOf({ features: ['events'] })))
    await settle()
    expect(pages.at(-1)).toBe('events started for ann')
  })

  test('describes what it is about until it is left', async () => {
    const { send, go, context } = startConsole('/stream/gate/info')
    await settle()
    await send({ type: 'page.described', subject })
    await go('/stream/gate/info?a=1')
    expect(context().subject).toEqual(subject)
    await go('/help')
    expect(context().subject).toBeNull()
  })

  test('can navigate to another address', async () => {
    const { send, steps, where } = startConsole('/help')
    await settle()
    await send({ type: 'navigation.requested', href: '/bookmarks?a=1' })
    expect({ steps, where: where() }).toEqual({ steps: ['/bookmarks?a=1'], where: '/bookmarks?a=1' })
  })
})

describe('language, theme and keys', () => {
  test('a choice takes effect at once and is saved with the user', async () => {
    const { send, calls, context } = startConsole('/help')
    await settle()
    await send({ type: 'language.chosen', language: 'ru' })
    expect({ language: context().language, user: context().user?.language, saved: calls.at(-1) }).toEqual({
      language: 'ru',
      user: 'ru',
      saved: 'language ru',
    })
  })

  test('a save that fails shows a toast, and the choice stays', async () => {
    const { send, context, toasts } = startConsole('/help', { saveLanguage: () => refused(500, 'InternalServerError') })
    await settle()
    await send({ type: 'language.chosen', language: 'ru' })
    expect({ language: context().language, toasts: toasts() }).toEqual({
      language: 'ru',
      toasts: ['InternalServerError'],
    })
  })

  test('a second choice cancels the save of the first', async () => {
    const { answers, send, calls, aborted } = startConsole('/help')
    await settle()
    answers.saveLanguage = never
    await send({ type: 'language.chosen', language: 'ru' })
    answers.saveLanguage = () => ok({})
    await send({ type: 'language.chosen', language: 'en' })
    expect({ calls: calls.slice(-2), aborted: aborted.filter((call) => call.startsWith('language')) }).toEqual({
      calls: ['language ru', 'language en'],
      aborted: ['language ru'],
    })
  })

  test('signed out, only this browser stores it', async () => {
    const { send, calls, context } = startConsole('/auth', { user: unauthorized })
    await settle()
    await send({ type: 'language.chosen', language: 'ru' })
    await send({ type: 'theme.chosen', theme: 'light' })
    await send({ type: 'keyReach.chosen', keyReach: 'focus' })
    expect({
      language: context().language,
      theme: context().theme,
      keyReach: context().keyReach,
      saved: calls.filter((call) => call.startsWith('language')),
    }).toEqual({
      language: 'ru',
      theme: 'light',
      keyReach: 'focus',
      saved: [],
    })
  })
})
