import { StateMachine } from 'xstate'
import { describe, expect, test } from 'vitest'
import { designs, machines } from '../scripts/machines.ts'
import { made, takenBy, sentToParentBy } from './machines/event-names.ts'

const all = designs()
/** What runs a page, and what runs the content of a stream's page: by the wiring. */
const frames = all.filter(({ id }) => ['app', 'streamPage'].includes(id)).map(({ machine }) => machine)

/** The machines that run one as their child. */
function parentsOf(id: string) {
  const isIt = (logic: unknown) => logic instanceof StateMachine && logic.id === id
  const direct = machines.filter(({ machine }) => Object.values(machine.implementations.actors).some(isIt))
  return [...frames, ...direct.map(({ machine }) => machine)]
}

describe.each(all.map((design) => [design.id, design] as const))('%s', (id, { file, machine }) => {
  const handled = machine.events.filter((name: string) => !name.startsWith('xstate.'))

  test('hears every event that it says it takes, and says so of each that it hears', () => {
    const taken = new Set(takenBy(file).filter((name) => name.includes('.')))
    expect([...taken].toSorted()).toEqual(handled.toSorted())
  })

  test('hears only what somebody sends', () => {
    expect(handled.filter((name) => !made.has(name))).toEqual([])
  })

  test('sends its parents only what one of them takes', () => {
    const receivedAbove = new Set(parentsOf(id).flatMap(({ events }) => events))
    expect(sentToParentBy(file).filter((name) => !receivedAbove.has(name))).toEqual([])
  })
})
