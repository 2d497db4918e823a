// @vitest-environment jsdom
import { createActor, createMachine } from 'xstate'
import { beforeEach, expect, test } from 'vitest'
import { createTimelineLists } from './timeline-lists.ts'

const key = 'player-moment-types'

beforeEach(() => localStorage.clear())

/** The lists of the player that a user opens. */
function opened(timelineLists: ReturnType<typeof createTimelineLists>, login: string) {
  const parent = createActor(createMachine({ context: { user: { name: login } } }), { systemId: 'app' }).start()
  return createActor(timelineLists.machine, { parent, input: timelineLists.read(parent.system) }).start()
}

test('the types of annotations are restored for every user, and stored when they change', () => {
  localStorage.setItem(key, '["line",7]')
  const lists = opened(createTimelineLists(), 'ann')
  const toggle = (annotationType: string) => lists.send({ type: 'annotationType.toggled', annotationType })
  toggle('smoke')
  expect(localStorage.getItem(key)).toBe('["line","smoke"]')
  toggle('smoke')
  toggle('line')
  expect(localStorage.getItem(key)).toBeNull()
})

test('the open list is still open in the next player of the same user alone', () => {
  const timelineLists = createTimelineLists()
  const shownTo = (login: string) => {
    const { value, context } = opened(timelineLists, login).getSnapshot()
    return [value, context.list]
  }
  opened(timelineLists, 'ann').send({ type: 'list.opened', list: 'recordings' })
  expect([shownTo('ann'), shownTo('bob'), shownTo('ann')]).toEqual([
    ['open', 'recordings'],
    ['closed', 'annotations'],
    ['closed', 'annotations'],
  ])
})
