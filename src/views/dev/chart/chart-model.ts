import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'
import { declaredEdges, eventOf, nodesOf } from '../edges.ts'

export interface ChartState {
  id: string
  key: string
  parent: string | null
  kind: 'atomic' | 'compound' | 'parallel' | 'final' | 'history'
  isRegion: boolean
  initial: string | null
  tags: readonly string[]
  /** The actors that run while the state is active: `id`, or `id: src` if they differ. */
  invokes: readonly string[]
  entry: readonly string[]
  exit: readonly string[]
}

export interface ChartEdge {
  id: string
  source: string
  /** Empty for a transition that only has actions. */
  targets: readonly string[]
  event: string
  /** The type of an event that can be sent; null for timers, results of children and events of the machine itself. */
  sent: string | null
  guard: string | null
  actions: readonly string[]
}

export interface Chart {
  id: string
  states: readonly ChartState[]
  edges: readonly ChartEdge[]
}

/** A machine's definition as plain data to draw: states, parents first, and every declared transition. */
export function chartOf(machine: AnyStateMachine): Chart {
  const edges = [...declaredEdges(machine)].map(([transition, id]) => edgeOf(id, transition))
  return { id: machine.id, states: nodesOf(machine).map(stateOf), edges }
}

const stateOf = (node: AnyStateNode): ChartState => ({
  id: node.id,
  key: node.key,
  parent: node.parent?.id ?? null,
  kind: node.type,
  isRegion: node.parent?.type === 'parallel',
  initial: node.type === 'compound' ? (node.initial.target[0]?.id ?? null) : null,
  tags: node.tags,
  invokes: node.invoke.map(({ id, src }) => (typeof src !== 'string' || src === id ? id : `${id}: ${src}`)),
  entry: node.entry.filter((action) => !isTimer(action, node)).map(nameOf),
  exit: node.exit.filter((action) => !isTimer(action, node)).map(nameOf),
})

const edgeOf = (id: string, transition: AnyTransitionDefinition): ChartEdge => ({
  id,
  source: transition.source.id,
  targets: transition.target?.map((node) => node.id) ?? [],
  event: eventOf(transition),
  sent: /^$|^xstate\.(?:after|done|error)\.|\*/.test(transition.eventType) ? null : transition.eventType,
  guard: transition.guard === undefined ? null : nameOf(transition.guard),
  actions: transition.actions.map(nameOf),
})

/** The actions that start and stop the timer of an `after`, which its edges already show. */
const isTimer = (action: unknown, { after }: AnyStateNode) =>
  after.length > 0 && ['raise', 'cancel'].includes(nameOf(action))

/** The name of an action or a guard; for an inline one, its code or its builder. */
export function nameOf(implementation: unknown): string {
  if (typeof implementation === 'string') return implementation
  if (isCallable(implementation)) return functionName(implementation)
  if (typeof implementation === 'object' && implementation !== null && 'type' in implementation)
    return String(implementation.type)
  return 'inline'
}

type Callable = (...values: never[]) => unknown
const isCallable = (value: unknown): value is Callable => typeof value === 'function'

function functionName(implementation: Callable): string {
  if ('guards' in implementation && Array.isArray(implementation.guards)) {
    const names = implementation.guards.map(nameOf)
    return names.length === 1 ? `${implementation.name} ${names[0]}` : names.join(` ${implementation.name} `)
  }
  const builtIn = 'type' in implementation ? /^xstate\.(\w+)$/.exec(String(implementation.type))?.[1] : undefined
  return builtIn ?? /=>\s*([^{].*)$/.exec(String(implementation).replaceAll(/\s+/g, ' '))?.[1] ?? 'inline'
}
