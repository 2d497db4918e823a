import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'
import { nameOf } from '../../src/views/dev/chart/chart-model.ts'
import { declaredEdges, eventOf, nameOfGuard } from '../../src/views/dev/edges.ts'

/** The machines whose transitions are pinned in a readable table each. */
export const pinned = [
  'app',
  'boot',
  'signIn',
  'recovery',
  'stream',
  'player',
  'media',
  'timeline',
  'calendar',
  'mosaic',
  'syncPlayback',
  'track',
  'form',
  'secondFactor',
] as const

/** One transition. States are paths below the machine; `root` is the machine itself. */
interface Row {
  state: string
  event: string
  /** The guard, or `otherwise`; empty if there is only one transition. */
  when: string
  /** The leaf states that are entered; empty if the state stays. */
  goesTo: readonly string[]
  /** The state is left and entered again. */
  isAgain: boolean
  does: readonly string[]
}

export interface Table {
  /** The leaf states that the machine starts in, before any `always`. */
  begins: readonly string[]
  /** By edge, as `declaredEdges` names it. */
  rows: ReadonlyMap<string, Row>
}

export const fileOf = (id: string) => join(import.meta.dirname, 'tables', `${id}.md`)

/** The stored table of a machine; null without one. */
export const pinnedTable = (id: string): Table | null =>
  existsSync(fileOf(id)) ? readTable(id, readFileSync(fileOf(id), 'utf8')) : null

const pathOf = ({ path }: AnyStateNode) => (path.length === 0 ? 'root' : path.join('.'))

/** The leaf states that a machine is in. */
export const leavesIn = ({ _nodes }: AnyMachineSnapshot): string[] =>
  _nodes.filter(({ states }) => Object.keys(states).length === 0).map(pathOf)

/** The leaf states that are entered with a state. */
function entered(node: AnyStateNode): string[] {
  const inner =
    node.type === 'parallel' ? Object.values(node.states) : node.type === 'compound' ? (node.initial.target ?? []) : []
  return inner.length === 0 ? [pathOf(node)] : inner.flatMap(entered)
}

/** The table of a machine's definition. */
export const tableOf = (machine: AnyStateMachine): Table => {
  const edges = declaredEdges(machine)
  const counts = Map.groupBy(edges.keys(), ({ source, eventType }) => `${source.id} ${eventType}`)
  const rowOf = (transition: AnyTransitionDefinition): Row => {
    const { source, eventType, guard, target, reenter, actions } = transition
    const others = (counts.get(`${source.id} ${eventType}`) ?? []).length > 1
    return {
      state: pathOf(source),
      event: eventOf(transition),
      when: guard === undefined ? (others ? 'otherwise' : '') : (nameOfGuard(guard) ?? 'unnamed'),
      goesTo: target?.flatMap(entered) ?? [],
      isAgain: reenter,
      does: actions.map(nameOf),
    }
  }
  const inOrder = [...edges].toSorted(([one], [other]) => one.source.order - other.source.order)
  return {
    begins: entered(machine.root),
    rows: new Map(inOrder.map(([transition, name]) => [name, rowOf(transition)])),
  }
}

const targetOf = ({ goesTo, isAgain }: Row) =>
  goesTo.length === 0 ? 'stays' : `${goesTo.join(', ')}${isAgain ? ' again' : ''}`

const cellsOf = (row: Row) => [row.state, row.event, row.when, targetOf(row), row.does.join(', ')]

export const writtenTable = (id: string, { begins, rows }: Table): string =>
  [
    `# ${id}`,
    '',
    `Begins in ${begins.join(', ')}.`,
    '',
    '| State | Event | When | Goes to | Does |',
    '|---|---|---|---|---|',
    ...[...rows.values()].map((row) => `| ${cellsOf(row).join(' | ')} |`),
    '',
  ].join('\n')

const listOf = (text: string) => (text === '' ? [] : text.split(', '))

function readTable(id: string, text: string): Table {
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line): [string, Row] => {
      const [state = '', event = '', when = '', target = '', does = ''] = line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim())
      const isAgain = target.endsWith(' again')
      const goesTo = target === 'stays' ? [] : listOf(isAgain ? target.slice(0, -' again'.length) : target)
      const source = state === 'root' ? id : `${id}.${state}`
      return [
        `${source} ${event}${when === '' ? '' : when === 'otherwise' ? ', otherwise' : `, when ${when}`}`,
        { state, event, when, goesTo, isAgain, does: listOf(does) },
      ]
    })
  return { begins: listOf(/^Begins in (.+)\.$/m.exec(text)?.[1] ?? ''), rows: new Map(rows) }
}

/** Compares a step of a real actor with the table; `before` and `after` are its leaf states. */
export function stray(
  { rows }: Table,
  edges: readonly string[],
  before: readonly string[],
  after: readonly string[],
): string[] {
  const wanted = edges.flatMap((edge) => rows.get(edge)?.goesTo ?? [`what no table has: ${edge}`])
  const isThere =
    wanted.every((leaf) => after.includes(leaf)) &&
    after.every((leaf) => before.includes(leaf) || wanted.includes(leaf))
  return isThere
    ? []
    : [
        `${edges.join(' + ')} from ${before.join(', ')}: came to ${after.join(', ')}; the table says ${wanted.join(', ') || 'stays'}`,
      ]
}

const list = (names: readonly string[]) => (names.length === 0 ? 'nothing' : names.join(', '))

/** The differences between a machine and its stored table, one line each. */
export function differences(kept: Table, now: Table): string[] {
  const begins =
    list(now.begins) === list(kept.begins) ? [] : [`begins in ${list(now.begins)}; its table says ${list(kept.begins)}`]
  const gone = [...kept.rows.keys()]
    .filter((name) => !now.rows.has(name))
    .map((name) => `${name}: is in its table only`)
  const changed = [...now.rows].flatMap(([name, row]) => {
    const before = kept.rows.get(name)
    if (before === undefined) return [`${name}: goes to ${targetOf(row)}; its table doesn't have it`]
    const target =
      targetOf(row) === targetOf(before)
        ? []
        : [`${name}: goes to ${targetOf(row)}; its table says ${targetOf(before)}`]
    const does =
      list(row.does) === list(before.does)
        ? []
        : [`${name}: does ${list(row.does)}; its table says ${list(before.does)}`]
    return [...target, ...does]
  })
  const common = [
    [...now.rows.keys()].filter((name) => kept.rows.has(name)),
    [...kept.rows.keys()].filter((name) => now.rows.has(name)),
  ] as const
  const moved = common[0].findIndex((name, index) => name !== common[1][index])
  const order =
    moved === -1
      ? []
      : [`${common[0][moved]}: is asked before ${common[1][moved]}; its table has them the other way round`]
  return [...begins, ...gone, ...changed, ...order]
}
