import { loadavg } from 'node:os'

/** A measured figure: all values (NaN: lost), and its goal. */
export interface Figure {
  name: string
  values: readonly number[]
  unit: string
  /** `least`: of the median, where more is better. */
  goal: Partial<Record<'median' | 'p95' | 'worst', number>> & { lost?: number; least?: number }
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

/** The percentile of values (nearest rank); `part` from 0 to 1. */
export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

/** The result of a figure with the load of the machine, as figures of a busy machine say little. */
export function resultOf({ name, values, unit, goal }: Figure): Result {
  const came = values.filter((value) => !Number.isNaN(value)).toSorted((a, b) => a - b)
  const found = { median: quantile(came, 0.5), p95: quantile(came, 0.95), worst: came.at(-1) ?? Number.NaN }
  const lost = values.length - came.length
  const goals = [
    ...(['median', 'p95', 'worst'] as const).flatMap((name) =>
      goal[name] === undefined ? [] : [{ text: `${name} ≤ ${goal[name]}`, isMet: found[name] <= goal[name] }],
    ),
    ...(goal.lost === undefined ? [] : [{ text: `lost ≤ ${goal.lost}`, isMet: lost <= goal.lost }]),
    ...(goal.least === undefined ? [] : [{ text: `median ≥ ${goal.least}`, isMet: found.median >= goal.least }]),
  ]
  return {
    figure: name,
    unit,
    count: values.length,
    lost,
    median: round(found.median),
    p95: round(found.p95),
    worst: round(found.worst),
    goal: goals.map(({ text }) => text).join(', '),
    isMet: goals.length === 0 ? null : goals.every(({ isMet }) => isMet),
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
