import { type SnapshotFrom, type StateValue, getInitialSnapshot, getNextSnapshot } from 'xstate'
import { adjacencyMapToArray, getAdjacencyMap } from 'xstate/graph'
import { declaredEdges } from '../../src/views/dev/edges.ts'
import { dialogs } from './dialogs.ts'
import { type Role, mayOpen, roles } from './pages.ts'
import { type Action, deepLinks, visitorMachine } from './visitor.machine.ts'

type Snapshot = SnapshotFrom<typeof visitorMachine>

/** The state of a visitor: role, page, and open dialog. */
export interface Screen {
  readonly role: Role | null
  readonly page: string
  readonly dialog: string | null
}

interface Step {
  readonly action: string
  readonly screen: Screen
}

export interface Journey {
  readonly who: Role | 'signedOut'
  readonly steps: readonly Step[]
}

function screenOf({ value }: { readonly value: StateValue }): Screen {
  const [name, regions = ''] = Object.entries(value)[0] ?? []
  const role = roles.find((one) => one === name)
  if (role === undefined || typeof regions !== 'object') return { role: null, page: leafOf(regions), dialog: null }
  const dialog = leafOf(regions['dialog'] ?? '')
  return { role, page: leafOf(regions['page'] ?? ''), dialog: dialog === 'shut' ? null : dialog }
}

const leafOf = (value: StateValue): string =>
  typeof value === 'string' ? value : leafOf(Object.values(value)[0] ?? '')

const edges = declaredEdges(visitorMachine)

const edgesOf = (snapshot: Snapshot, action: Action): string[] =>
  visitorMachine.getTransitionData(snapshot, action).map((transition) => edges.get(transition) ?? '')

/**
 * What an action adds to the coverage: its edges, the page for this role, and a dialog that a key opens over this page
 * for any role. Every combination of role, page and dialog would take many times as long.
 */
function worth(snapshot: Snapshot, action: Action, next: Snapshot): string[] {
  const { role, page, dialog } = screenOf(next)
  const taken = edgesOf(snapshot, action)
  if (role === null) return taken
  if (dialog === null) return [...taken, `${role} on ${page}`]
  return dialogs[dialog]?.opens.some((way) => 'key' in way) === true
    ? [...taken, `${dialog} over ${page}, ${mayOpen(role, page) ? 'open' : 'refused'}`]
    : taken
}

/** Loading a page takes the longest. */
const costs: Readonly<Record<string, number>> = {
  address: 4,
  'browser.reloaded': 4,
  signedIn: 6,
  'menu.API documentation': 4,
}
const costOf = (action: string): number => costs[action] ?? costs[action.split('.')[0] ?? ''] ?? 1

interface Arc {
  readonly from: string
  readonly to: string
  readonly action: string
  readonly cost: number
  readonly worth: readonly string[]
}

/** After these actions, Back returns to the page before. */
const links = ['toolbar.', 'banner.', 'content.', 'menu.', 'palette.']

/** Names a state of the chart, without the page before, as Back is tried right after a link. */
const nameOf = ({ value, context }: Snapshot): string => JSON.stringify([value, context.destination])

const isOf = (who: Journey['who'], snapshot: Snapshot, { type }: Action): boolean => {
  const [kind, name = ''] = type.split('.')
  if (kind === 'signedIn') return name === who
  if (snapshot.matches('signedOut') && kind === 'address')
    return who === 'signedOut' || deepLinks.some((page) => page === name)
  return type !== 'browser.wentBack'
}

function arcsFor(who: Journey['who']): Map<string, Arc[]> {
  const map = getAdjacencyMap(visitorMachine, {
    events: visitorMachine.events.map((type) => ({ type })),
    serializeState: nameOf,
    filterEvents: (snapshot, action) => isOf(who, snapshot, action) && snapshot.can(action),
  })
  const arcs = adjacencyMapToArray(map).map(({ state, event, nextState }): Arc => {
    const isLink = links.some((kind) => event.type.startsWith(kind))
    return {
      from: nameOf(state),
      to: nameOf(nextState),
      action: event.type,
      cost: costOf(event.type),
      worth: [...worth(state, event, nextState), ...(isLink ? edgesOf(nextState, { type: 'browser.wentBack' }) : [])],
    }
  })
  return Map.groupBy(arcs, ({ from }) => from)
}

/** The cheapest actions from a state to something new, that included; empty if nothing is left. */
function wayToNews(arcs: ReadonlyMap<string, readonly Arc[]>, start: string, walked: ReadonlySet<string>): string[] {
  const open = new Map<string, { cost: number; actions: string[] }>([[start, { cost: 0, actions: [] }]])
  const done = new Set<string>()
  let best: { cost: number; actions: string[] } | undefined
  for (;;) {
    const nearest = [...open].reduce<[string, { cost: number; actions: string[] }] | undefined>(
      (least, one) => (least === undefined || one[1].cost < least[1].cost ? one : least),
      undefined,
    )
    if (nearest === undefined || (best !== undefined && nearest[1].cost >= best.cost)) return best?.actions ?? []
    const [here, way] = nearest
    open.delete(here)
    done.add(here)
    for (const arc of arcs.get(here) ?? []) {
      const reached = { cost: way.cost + arc.cost, actions: [...way.actions, arc.action] }
      const isNews = arc.worth.some((one) => !walked.has(one))
      if (isNews && (best === undefined || reached.cost < best.cost)) best = reached
      if (!done.has(arc.to) && reached.cost < (open.get(arc.to)?.cost ?? Infinity)) open.set(arc.to, reached)
    }
  }
}

/** The actions after which Back is tried, each once. */
const coverings = [[], ['opened.menu by button'], ['opened.palette by key'], ['opened.shortcuts by key']]

/**
 * One journey of one visitor: it always goes on to the nearest thing that no journey has covered, and back if Back is
 * new there.
 */
function journeyOf(who: Journey['who'], walked: Set<string>): Journey {
  const arcs = arcsFor(who)
  const steps: Step[] = []
  let here = getInitialSnapshot(visitorMachine)
  const doing = (snapshot: Snapshot, actions: readonly string[]) => {
    let at = snapshot
    const made = actions.map((action) => {
      const next = getNextSnapshot(visitorMachine, at, { type: action })
      const step = { action, screen: screenOf(next), worth: worth(at, { type: action }, next) }
      at = next
      return step
    })
    return { made, at }
  }
  const take = (actions: readonly string[]) => {
    const { made, at } = doing(here, actions)
    for (const { action, screen, worth } of made) {
      steps.push({ action, screen })
      for (const one of worth) walked.add(one)
    }
    here = at
  }
  for (;;) {
    const way = wayToNews(arcs, nameOf(here), walked)
    if (way.length === 0) return { who, steps }
    for (const action of way) take([action])
    const back = coverings
      .map((actions) => [...actions, 'browser.wentBack'])
      .find((actions) =>
        doing(here, actions)
          .made.at(-1)
          ?.worth.some((one) => !walked.has(one)),
      )
    if (here.context.previous !== null && screenOf(here).dialog === null && back !== undefined) take(back)
  }
}

/** The journeys, the same in every run, and the edges of the chart that none of them takes. */
export function allJourneys(): { journeys: Journey[]; unwalked: string[] } {
  const walked = new Set<string>()
  const journeys = (['signedOut', ...roles] as const).map((who) => journeyOf(who, walked))
  return { journeys, unwalked: [...edges.values()].filter((edge) => !walked.has(edge)) }
}
