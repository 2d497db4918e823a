import { type Subject, subjectOf, subjects } from './figure-subjects.ts'
import type { Result } from './figures.ts'

/** Cells by row and column, in order. */
type Table = ReadonlyMap<string, ReadonlyMap<string, string>>

const merge = (one: Table, other: Table): Table =>
  new Map([...one, ...[...other].map(([row, cells]) => [row, new Map([...(one.get(row) ?? []), ...cells])] as const)])

const cellOf = (value: number): string => (Number.isNaN(value) ? '–' : String(value))
/** The goal without "lost", which the page states for all benches. */
const goalOf = ({ goal }: Result): string => goal.replace(/(?:^|, )lost ≤ 0$/, '')
const verdictOf = ({ isMet, lost }: Result): string =>
  [isMet === null ? '' : isMet ? 'yes' : '**no**', lost === 0 ? '' : `${lost} lost`].filter(Boolean).join(', ')

const plainColumns = ['Value', 'Median', 'p95', 'Worst', 'Goal', 'Met'] as const
function plainRow(row: string, result: Result): Table {
  const values = [result.median, result.p95, result.worst].map(cellOf)
  const cells = [...(result.count === 1 ? [values[0], '', '', ''] : ['', ...values]), goalOf(result), verdictOf(result)]
  return new Map([[row, new Map(plainColumns.map((column, index) => [column, cells[index] ?? '']))]])
}

function pivotRow(row: string, column: string, result: Result, statistic: 'median' | 'p95' | 'worst'): Table {
  const [value, goal] = [cellOf(result[statistic]), goalOf(result)]
  const cells = [[column, result.isMet === false ? `**${value}**` : value] as const]
  return new Map([[row, new Map([...(goal === '' ? [] : [['Goal', goal] as const]), ...cells])]])
}

/** A table of the figures with a column, and one of the others. */
function tablesOf(subject: Subject, results: readonly Result[]): [Table, Table] {
  let [pivoted, plain]: [Table, Table] = [new Map(), new Map()]
  for (const result of results) {
    if (goalOf(result) === '' && subject.hidden?.test(result.figure) === true) continue
    const name = subject.noise === undefined ? result.figure : result.figure.replace(subject.noise, '')
    const column = subject.pivot?.exec(name)?.groups?.['column']
    const unit = subject.hasUnitInNote || result.unit === '' ? '' : `, ${result.unit}`
    if (subject.pivot === undefined || column === undefined) plain = merge(plain, plainRow(`${name}${unit}`, result))
    else
      pivoted = merge(
        pivoted,
        pivotRow(`${name.replace(subject.pivot, '')}${unit}`, column, result, subject.statistic ?? 'median'),
      )
  }
  return [pivoted, plain]
}

const alignments = (columns: readonly string[]) =>
  columns.map((column) => (/^(?:Goal|Met)$/.test(column) ? '---' : '--:'))

/** Omits empty columns. The goal comes first if the other columns aren't statistics. */
function textOf(table: Table): string {
  const all = new Set([...table.values()].flatMap((cells) => [...cells.keys()]))
  const used = [...all].filter((column) => [...table.values()].some((cells) => (cells.get(column) ?? '') !== ''))
  const columns = all.has('Met')
    ? used
    : used.toSorted((one, other) => Number(other === 'Goal') - Number(one === 'Goal'))
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(['Figure', ...columns]),
    `|${['---', ...alignments(columns)].join('|')}|`,
    ...[...table].map(([row, cells]) => line([row, ...columns.map((column) => cells.get(column) ?? '')])),
  ].join('\n')
}

/** Parses the text of `textOf`. */
function tablesIn(text: string): [Table, Table] {
  let [pivoted, plain]: [Table, Table] = [new Map(), new Map()]
  for (const block of text.split('\n\n').filter((one) => one.startsWith('| Figure'))) {
    const [head = [], , ...rows] = block.split('\n').map((line) => line.slice(2, -2).split(' | '))
    const table = new Map(
      rows.map(([row = '', ...cells]) => [row, new Map(cells.map((cell, index) => [head[index + 1] ?? '', cell]))]),
    )
    if (head.includes('Value') || head.includes('Median')) plain = table
    else pivoted = table
  }
  return [pivoted, plain]
}

const overGoals = 'Over their goals'

/** The figures of a section that miss their goals: name, value and goal. */
function missedIn(text: string): string[][] {
  const [pivoted, plain] = tablesIn(text)
  const ofColumns = [...pivoted].flatMap(([row, cells]) =>
    [...cells].flatMap(([column, cell]) =>
      cell.startsWith('**') ? [[`${row}, ${column}`, cell.slice(2, -2), cells.get('Goal') ?? '']] : [],
    ),
  )
  const ofRows = [...plain].flatMap(([row, cells]) => {
    const [verdict, lost] = cells.get('Met')?.split(', ') ?? []
    if (verdict !== '**no**') return []
    const values = ['Value', 'Median', 'p95', 'Worst'].map((column) => cells.get(column) ?? '').filter(Boolean)
    return [[row, [values.join(' / '), lost].filter(Boolean).join(', '), cells.get('Goal') ?? '']]
  })
  return [...ofColumns, ...ofRows]
}

/** A section of what misses its goal in all others; empty if nothing does. */
function sectionOfMissed(sections: readonly (readonly [title: string, text: string])[]): string[] {
  const rows = sections.flatMap(([title, text]) => missedIn(text).map((cells) => [title, ...cells]))
  if (rows.length === 0) return []
  const head = ['Bench', 'Figure', 'Value, or median / p95 / worst', 'Goal']
  const lines = [head, ['---', '---', '--:', '---'], ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return [
    `### ${overGoals}\n\nOf the tables below. [Where the time goes](#where-the-time-goes).\n\n${lines.join('\n')}`,
  ]
}

export interface Run {
  /** The bench's name. */
  readonly name: string
  readonly command: string
  readonly measuredAt: string
  readonly pace: number
  /** Its processor and memory, as figures of different machines stand side by side. */
  readonly machine: string
  readonly results: readonly Result[]
  /** Whether the bench measured only some of its figures: the others stay. */
  readonly isPart: boolean
}

const [begins, ends] = ['<!-- written by npm run bench -->', '<!-- up to here -->']

/** The page with the new figures of a bench instead of the old ones; `reading` says how to read them. */
export function pageWith(page: string, reading: string, run: Run): string {
  const [head = '', rest = ''] = page.split(begins)
  const [written = '', tail = ''] = rest.split(ends)
  const sections = new Map(
    written
      .split(/^(?=### )/m)
      .slice(1)
      .map((section) => [section.slice(4).split('\n')[0] ?? '', section.trim()]),
  )
  const subject = subjectOf(run.name)
  const before = run.isPart ? (sections.get(subject.title) ?? '') : ''
  const load = Math.max(...run.results.map((result) => result.load))
  const runs = [
    ...before.split('\n').filter((line) => /^- \d{4}-/.test(line) && !line.includes(`\`${run.command}\``)),
    `- ${run.measuredAt.slice(0, 16).replace('T', ' ')} UTC, \`${run.command}\`, load ${load}, pace ${run.pace} ms, ${run.machine}`,
  ]
  const found = tablesOf(subject, run.results)
  const tables = tablesIn(before).map((table, index) => merge(table, found[index] ?? new Map()))
  sections.set(
    subject.title,
    [
      `### ${subject.title}`,
      ...(subject.note === undefined ? [] : [subject.note]),
      runs.join('\n'),
      ...tables.filter(({ size }) => size > 0).map(textOf),
    ].join('\n\n'),
  )
  const order = Object.values(subjects).map(({ title }) => title)
  sections.delete(overGoals)
  const sorted = [...sections].toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other))
  const texts = [...sectionOfMissed(sorted), ...sorted.map(([, text]) => text)]
  return `${head}${begins}\n${reading}\n\n${texts.join('\n\n')}\n${ends}${tail}`
}
