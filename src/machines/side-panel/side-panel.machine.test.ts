import { describe, expect, test } from 'vitest'
import { createActor, setup, SimulatedClock } from 'xstate'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { type SidePanelEvent, type SidePanelInput, isSmallScreen, sidePanelMachine } from './side-panel.machine.ts'
import { selectIsPanelOpen, selectPhase } from './side-panel.selectors.ts'

const wide: SidePanelInput = { isOpen: false, isFixed: false, width: 1440, height: 900 }

function start(input: SidePanelInput) {
  const clock = new SimulatedClock()
  const received: unknown[] = []
  const parent = setup({ actors: { child: sidePanelMachine } }).createMachine({
    invoke: { id: 'panel', src: 'child', input },
    on: { '*': { actions: ({ event }) => received.push(event) } },
  })
  const actor = createActor(parent, { clock }).start()
  const ref = () => {
    const { panel } = actor.getSnapshot().children
    if (panel === undefined) throw new Error('the panel has no actor')
    return panel
  }
  return {
    clock,
    received,
    send: (event: SidePanelEvent) => ref().send(event),
    phase: () => selectPhase(ref().getSnapshot()),
    isOpen: () => selectIsPanelOpen(ref().getSnapshot()),
  }
}

describe('the side panel (docs/behaviour.md §4.3)', () => {
  test('opens and closes with a short animation, and notifies its page at once', () => {
    const { clock, received, send, phase } = start(wide)
    const phases = [phase()]
    for (const type of ['panel.toggled', 'panel.toggled'] as const) {
      send({ type })
      phases.push(phase())
      clock.increment(160)
      phases.push(phase())
    }
    expect(phases).toEqual(['closed', 'opening', 'open', 'closing', 'closed'])
    expect(received).toEqual([
      { type: 'panel.changed', isOpen: true },
      { type: 'panel.changed', isOpen: false },
    ])
  })

  test.each([
    ['beside the page', { isFixed: false, width: 1440 }, true],
    ['with fixed content', { isFixed: true, width: 1440 }, false],
    ['on a small screen', { isFixed: false, width: 390 }, false],
  ])('%s: open after a press outside', (_, { isFixed, width }, isOpen) => {
    const panel = start({ isOpen: false, isFixed, width, height: 900 })
    panel.send({ type: 'panel.toggled' })
    panel.clock.increment(160)
    panel.send({ type: 'panel.pressedOutside' })
    expect(panel.isOpen()).toBe(isOpen)
  })

  test('closes by itself 100 ms after the screen has become small, and only then', () => {
    const { clock, send, isOpen } = start({ ...wide, isOpen: true })
    send({ type: 'viewport.resized', width: 500, height: 900 })
    clock.increment(99)
    send({ type: 'viewport.resized', width: 400, height: 900 })
    clock.increment(99)
    expect(isOpen()).toBe(true)
    clock.increment(1)
    expect(isOpen()).toBe(false)
    clock.increment(160)
    send({ type: 'panel.toggled' })
    send({ type: 'viewport.resized', width: 400, height: 700 })
    clock.increment(100)
    expect(isOpen()).toBe(true)
  })

  test('starts closed on a small screen, whatever was stored', () => {
    expect(start({ ...wide, isOpen: true, height: 600 }).phase()).toBe('closed')
    expect(start({ ...wide, isOpen: true }).phase()).toBe('open')
  })

  test('a screen is small at a height of at most 600 or a width under 615 (docs/behaviour.md §4.3)', () => {
    const sizes = [
      [615, 601],
      [614, 601],
      [615, 600],
      [1440, 600],
    ] as const
    expect(sizes.map(([width, height]) => isSmallScreen({ width, height }))).toEqual([false, true, true, true])
  })
})

test('every edge of the chart is walked', () => {
  const own = {
    'panel.toggled': [{ type: 'panel.toggled' }],
    'panel.dismissed': [{ type: 'panel.dismissed' }],
    'panel.pressedOutside': [{ type: 'panel.pressedOutside' }],
    'viewport.resized': [
      { type: 'viewport.resized', width: 400, height: 800 },
      { type: 'viewport.resized', width: 1440, height: 900 },
    ],
  } satisfies { [Type in SidePanelEvent['type']]: Extract<SidePanelEvent, { type: Type }>[] }
  const events = [
    ...Object.values(own).flat(),
    { type: 'xstate.after.animation.sidePanel.panel.opening' },
    { type: 'xstate.after.animation.sidePanel.panel.closing' },
    { type: 'xstate.after.resizeDebounce.sidePanel.viewport.settling' },
  ]
  const model = sidePanelMachine.provide({ actions: { notifyParent: () => undefined } })
  const walks = [false, true].map((isOpen) =>
    walkEdges(sidePanelMachine, {
      model,
      input: { ...wide, isOpen },
      events,
      name: ({ value, context }) => JSON.stringify([value, context.isSmall, context.measured.width]),
    }),
  )
  expect(walks.flatMap(({ strayed }) => strayed)).toEqual([])
  expect([...new Set(walks.flatMap(({ covered }) => covered))].toSorted()).toEqual(walks[0]?.declared)
})
