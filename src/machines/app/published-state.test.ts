import { createActor, fromCallback } from 'xstate'
import { expect, test } from 'vitest'
import { inputOf } from '../../../tests/machines/console.ts'
import { appMachine } from './app.machine.ts'
import type { AppearanceChanged, PublishedState } from './app.events.ts'

/** The root machine in its start-up, and its calls, in order. */
function start() {
  const calls: string[] = []
  const machine = appMachine.provide({
    actors: {
      appearance: fromCallback<AppearanceChanged, PublishedState>(({ input, receive }) => {
        calls.push(`begins with ${input.theme}`)
        receive(({ state }) => calls.push(`shows ${state.theme} to ${state.user?.name ?? 'nobody'}`))
      }),
      registerServiceWorker: fromCallback<{ type: 'user.switched' }>(({ receive }) =>
        receive(() => calls.push('somebody is here')),
      ),
    },
    actions: {
      store: (_, { before, after }) =>
        calls.push(`keeps ${after.theme}, ${after.keyReach} after ${before.theme}, ${before.keyReach}`),
    },
  })
  const actor = createActor(machine, { input: inputOf('/help', { theme: 'dark' }) }).start()
  return { actor, calls }
}

test('each change is published once, with the state before it', () => {
  const { actor, calls } = start()
  actor.send({ type: 'theme.chosen', theme: 'light' })
  actor.send({ type: 'theme.chosen', theme: 'light' })
  actor.send({ type: 'keyReach.chosen', keyReach: 'focus' })
  expect(calls).toEqual([
    'begins with dark',
    'keeps light, page after dark, page',
    'shows light to nobody',
    'keeps light, focus after light, page',
    'shows light to nobody',
  ])
})
