import { mkdirSync, writeFileSync } from 'node:fs'
import type { FullResult, Reporter, TestCase, TestResult } from 'playwright/types/testReporter'
import type { AnyStateMachine } from 'xstate'
import { calendarMachine } from '../../src/machines/calendar/calendar.machine.ts'
import { mediaMachine } from '../../src/machines/player/media.machine.ts'
import { playerMachine } from '../../src/machines/player/player.machine.ts'
import { timelineMachine } from '../../src/machines/timeline/timeline.machine.ts'
import { declaredEdges, leavesOf } from '../../src/views/dev/edges.ts'
import { keptEdges } from '../../tests/machines/kept-edges.ts'
import { unwalkable } from './unwalkable.ts'
import type { Walked } from './walk.ts'

const machines: readonly AnyStateMachine[] = [playerMachine, mediaMachine, timelineMachine, calendarMachine]

/**
 * One machine's line of the report. `onMachine` is null if the machine's own test (tests/machines/edges.ts) was not
 * run.
 */
type Line = {
  machine: string
  states: number
  statesOnScreen: number
  edges: number
  onMachine: number | null
  onScreen: number
  uncovered: string[]
  /** Edges that no screen can show, with the reason; `mistaken`: those that were walked anyway or don't exist. */
  excused: Record<string, string>
  mistaken: string[]
}

function lineOf(
  machine: AnyStateMachine,
  { edges, leaves }: { edges: ReadonlySet<string>; leaves: ReadonlySet<string> },
): Line {
  const declared = [...declaredEdges(machine).values()].toSorted()
  const onMachine = keptEdges(machine.id)
  const excused = Object.fromEntries(
    Object.entries(unwalkable).filter(([edge]) => edge.split(/[. ]/)[0] === machine.id),
  )
  const states = leavesOf(machine)
  return {
    machine: machine.id,
    states: states.length,
    statesOnScreen: states.filter((state) => leaves.has(state)).length,
    edges: declared.length,
    onMachine: onMachine === null ? null : declared.filter((edge) => onMachine.has(edge)).length,
    onScreen: declared.filter((edge) => edges.has(edge)).length,
    uncovered: declared.filter((edge) => !edges.has(edge) && !Object.hasOwn(excused, edge)),
    excused,
    mistaken: Object.keys(excused).filter((edge) => edges.has(edge) || !declared.includes(edge)),
  }
}

const head =
  '| Machine | States | on the screen | Edges | on the machine | on the screen | no screen can show | not walked |'

const rowOf = ({ machine, states, statesOnScreen, edges, onMachine, onScreen, uncovered, excused }: Line) =>
  `| ${[machine, states, statesOnScreen, edges, onMachine ?? 'not run', onScreen, Object.keys(excused).length, uncovered.length].join(' | ')} |`

/**
 * Compares the edges walked on the machine with those on the screen, in a table and in test-results/edges.md and .json.
 * A run of the walk with a missing edge fails.
 */
export default class EdgeReport implements Reporter {
  private readonly walked = { edges: new Set<string>(), leaves: new Set<string>() }

  printsToStdio(): boolean {
    return false
  }

  onTestEnd(_test: TestCase, { attachments }: TestResult): void {
    for (const { name, body } of attachments) {
      if (name !== 'edges' || body === undefined) continue
      const walked: Walked = JSON.parse(body.toString())
      for (const edge of walked.edges) this.walked.edges.add(edge)
      for (const leaf of walked.leaves) this.walked.leaves.add(leaf)
    }
  }

  async onEnd(): Promise<{ status?: FullResult['status'] }> {
    if (this.walked.edges.size === 0) return {}
    const lines = machines.map((machine) => lineOf(machine, this.walked))
    const names = lines.flatMap(({ uncovered, mistaken }) => [
      ...uncovered.map((edge) => `- not walked on the screen: \`${edge}\``),
      ...mistaken.map((edge) => `- excused, but walked or gone: \`${edge}\``),
    ])
    const reasons = lines.flatMap(({ excused }) =>
      Object.entries(excused).map(([edge, reason]) => `- no screen can show \`${edge}\`: ${reason}`),
    )
    const table = [head, head.replaceAll(/[^|]+/g, '---'), ...lines.map(rowOf), '', ...names, ...reasons].join('\n')
    mkdirSync('test-results', { recursive: true })
    writeFileSync('test-results/edges.json', JSON.stringify(lines, null, 2))
    writeFileSync('test-results/edges.md', `${table}\n`)
    process.stdout.write(`\n${table}\n`)
    return names.length === 0 ? {} : { status: 'failed' }
  }
}
