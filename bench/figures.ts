import { loadavg } from 'node:os'

/** One measured thing: every value that was read (NaN: it never came), and the goal for it. */
export interface Figure {
  name: string
  values: readonly number[]
  unit: string
  goal: Partial<Record<'median' | 'p95' | 'worst', number>> & { lost?: number }
}

export interface Result {
  figure: string
  unit: string
  count: number
  lost: number
  median: number
  p95: number
  worst: number
  goal: string
  isMet: boolean | null
  load: number
}

const round = (value: number) => Math.round(value * 10) / 10

/** The least value that the given part of them doesn't exceed (nearest rank). */
export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

/** The results of a figure, with the load of the machine: numbers of a busy one mean little. */
export function resultOf({ name, values, unit, goal }: Figure): Result {
  const came = values.filter((value) => !Number.isNaN(value)).toSorted((a, b) => a - b)
  const found = { median: quantile(came, 0.5), p95: quantile(came, 0.95), worst: came.at(-1) ?? Number.NaN }
  const lost = values.length - came.length
  const goals = [
    ...(['median', 'p95', 'worst'] as const).flatMap((name) =>
      goal[name] === undefined ? [] : [{ name, most: goal[name], is: found[name] }],
    ),
    ...(goal.lost === undefined ? [] : [{ name: 'lost', most: goal.lost, is: lost }]),
  ]
  return {
    figure: name,
    unit,
    count: values.length,
    lost,
    median: round(found.median),
    p95: round(found.p95),
    worst: round(found.worst),
    goal: goals.map(({ name, most }) => `${name} ≤ ${most}`).join(', '),
    isMet: goals.length === 0 ? null : goals.every(({ is, most }) => is <= most),
    load: round(loadavg()[0] ?? 0),
  }
}

export function printTable(results: readonly Result[]): void {
  const verdicts = new Map([
    [true, 'met'],
    [false, 'NOT MET'],
  ])
  const rows = results.map(({ figure, unit, isMet, ...rest }) => [
    `${figure}, ${unit}`,
    { ...rest, met: isMet === null ? '–' : verdicts.get(isMet) },
  ])
  console.table(Object.fromEntries(rows))
}
