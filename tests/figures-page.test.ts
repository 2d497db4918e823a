import { expect, test } from 'vitest'
import { resultOf, type Figure } from '../bench/figures.ts'
import { pageWith } from '../bench/figures-page.ts'

const empty = '# Figures\n\n<!-- written by npm run bench -->\n<!-- up to here -->\n\nBy hand.\n'
const run = (name: string, only: string, figures: readonly Figure[]) => ({
  name,
  command: `npm run bench -- ${name}${only}`,
  measuredAt: '2026-11-23T01:02:03.000Z',
  pace: 500,
  machine: '2 cores, 4 GB',
  results: figures.map((figure) => ({ ...resultOf(figure), load: 2 })),
  isPart: only !== '',
})
const fault = (name: string, seconds: number): Figure => ({ name, unit: 's', values: [seconds], goal: { lost: 0 } })
const withFaults = pageWith(
  empty,
  'How to read it.',
  run('faults', '', [fault('disk full: live', 1), fault('disk full: list', 2), fault('no network: live', 3)]),
)

test('a bench has one table, with a column for each screen where its figures are of screens', () => {
  expect(withFaults).toBe(`# Figures

<!-- written by npm run bench -->
How to read it.

### Recovery from faults

Seconds until a screen works again by itself. The goal is that every screen does.

- 2026-11-23 01:02 UTC, \`npm run bench -- faults\`, load 2, pace 500 ms, 2 cores, 4 GB

| Figure | live | list |
|---|--:|--:|
| disk full | 1 | 2 |
| no network | 3 |  |
<!-- up to here -->

By hand.
`)
})

test('a run of a part replaces only its own figures, a full run all of them', () => {
  const part = pageWith(
    withFaults,
    'How to read it now.',
    run('faults', " --only 'disk'", [fault('disk full: list', Number.NaN)]),
  )
  expect(part).toContain(`- 2026-11-23 01:02 UTC, \`npm run bench -- faults\`, load 2, pace 500 ms, 2 cores, 4 GB
- 2026-11-23 01:02 UTC, \`npm run bench -- faults --only 'disk'\`, load 2, pace 500 ms, 2 cores, 4 GB

| Figure | live | list |
|---|--:|--:|
| disk full | 1 | **–** |
| no network | 3 |  |
`)
  expect(pageWith(part, 'How to read it.', run('faults', '', [fault('no network: live', 3)])))
    .toContain(`pace 500 ms, 2 cores, 4 GB

| Figure | live |
|---|--:|
| no network | 3 |
<!-- up to here -->`)
})

test('figures without a column have their statistics, their goal and whether they met it; empty columns are left out', () => {
  const clock: Figure = {
    name: 'Clock, live',
    unit: 'ms',
    values: [1, 2, 90],
    goal: { median: 40, worst: 80, lost: 0 },
  }
  const page = pageWith(withFaults, 'How to read it.', run('clock', '', [clock, { ...clock, name: 'Steps', goal: {} }]))
  expect(page).toContain(`### Clock against the frame on the screen

- 2026-11-23 01:02 UTC, \`npm run bench -- clock\`, load 2, pace 500 ms, 2 cores, 4 GB

| Figure | Median | p95 | Worst | Goal | Met |
|---|--:|--:|--:|---|---|
| Clock, live, ms | 2 | 90 | 90 | median ≤ 40, worst ≤ 80 | **no** |
| Steps, ms | 2 | 90 | 90 |  |  |

### Recovery from faults
`)
})

test('crashes have a column for each kind, with the worst of all kills', () => {
  const lost = (kind: string, ...values: number[]): Figure => ({
    name: `segments lost of a camera: ${kind}`,
    unit: '',
    values,
    goal: { worst: 1, lost: 0 },
  })
  const page = pageWith(
    empty,
    'How to read it.',
    run('crash', '', [lost('kill', ...Array<number>(40).fill(0), 1), lost('power cut', 0, 0, 2)]),
  )
  expect(page).toContain(`| Figure | Goal | kill | power cut |
|---|---|--:|--:|
| segments lost of a camera | worst ≤ 1 | 1 | **2** |`)
})

test('another console has a column by its name, without goals and without the bytes that nobody knows', () => {
  const loads = (console: string, goal: Figure['goal']): Figure[] =>
    ['Total blocking time, *', 'Total blocking time, *, 4× slower'].map((name) => ({
      name: name.replace('*', console),
      unit: 'ms',
      values: [120],
      goal,
    }))
  const brotli = { name: 'JS and CSS until the first paint, sign-in, brotli', unit: 'kB', values: [90], goal: {} }
  const figures = [brotli, ...loads('sign-in', { median: 100 }), ...loads('Other 1.0', {})]
  expect(pageWith(empty, 'How to read it.', run('beside', '', figures))).toContain(`
| Figure | Goal | sign-in | Other 1.0 |
|---|---|--:|--:|
| JS and CSS until the first paint, brotli, kB |  | 90 |  |
| Total blocking time, ms | median ≤ 100 | **120** | 120 |
| Total blocking time, 4× slower, ms | median ≤ 100 | **120** | 120 |
`)
})

test('what misses its goal comes first, with its section, until it meets it', () => {
  const seeks = (worst: number): Figure => ({ name: 'Seek', unit: 'ms', values: [1, worst], goal: { worst: 300 } })
  const faults = pageWith(withFaults, 'How to read it.', run('faults', '', [fault('disk full: list', Number.NaN)]))
  const lost: Figure = { name: 'Last seek', unit: 'ms', values: [1, Number.NaN], goal: { lost: 0 } }
  const page = pageWith(faults, 'How to read it.', run('seeks', '', [seeks(400), lost]))
  expect(page).toContain(`How to read it.

### Over their goals

Of the tables below. [Where the time goes](#where-the-time-goes).

| Bench | Figure | Value, or median / p95 / worst | Goal |
| --- | --- | --: | --- |
| Seeks | Seek, ms | 1 / 400 / 400 | worst ≤ 300 |
| Seeks | Last seek, ms | 1 / 1 / 1, 1 lost |  |
| Recovery from faults | disk full, list | – |  |

### Seeks
`)
  const met = pageWith(page, 'How to read it.', run('seeks', '', [seeks(200)]))
  expect(met).not.toContain('| Seeks |')
  expect(pageWith(met, 'How to read it.', run('faults', '', [fault('disk full: list', 2)]))).not.toContain('Over their')
})
