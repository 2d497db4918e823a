import type { Result } from './figures.ts'

/** How docs/figures.md shows the figures of a bench. */
interface Subject {
  readonly title: string
  readonly note?: string
  /** The part of names that the title or the note already says. */
  readonly noise?: RegExp
  /** Whether the note gives the unit of every figure. */
  readonly hasUnitInNote?: true
  /** Figures that are only shown with a goal. */
  readonly hidden?: RegExp
  /** If a figure's name matches, the match is its column and the rest of the name its row. */
  readonly pivot?: RegExp
  /** The statistic in the cells of such a table; by default the median. */
  readonly statistic?: 'p95' | 'worst'
}

const screen = /, (?<column>streams|player|mosaic of \d+|add stream|statistics|sign-in)(?=,|$)/

/** The benches in the order of the page. */
const subjects: Readonly<Record<string, Subject>> = {
  'sign-in': { title: 'First load of the sign-in page', note: 'Medians of five loads.', pivot: screen },
  beside: {
    title: 'First load of the sign-in page, beside another console',
    note: 'Medians of five loads, in turn. “sign-in” is this console; the bytes of the other are as transferred.',
    pivot: /, (?<column>sign-in|[A-Z][^,]*)(?=,|$)/,
  },
  load: { title: 'First loads', note: 'Medians of five loads.', pivot: screen },
  openings: { title: 'Opening a stream' },
  clock: { title: 'Clock against the frame on the screen' },
  seeks: { title: 'Seeks' },
  latency: { title: 'Live latency' },
  'far-keyframes': { title: 'Live latency, keyframes far apart' },
  'low-latency': { title: 'Live latency over HTTPS' },
  'dead-tile': {
    title: 'Dead cameras',
    note: 'From the last frame on the screen until it is dimmed, with the reason beside it.',
    noise: /^Last frame → dimmed with its reason, /,
  },
  timeline: { title: 'Timeline' },
  mosaic: {
    title: 'Mosaics in the archive',
    note: 'The tiles play substreams of 640 × 360, in the mosaic of four only at 4×. The cameras are paused.',
  },
  wall: { title: 'Wall of live tiles' },
  list: {
    title: 'List of 10,000 streams',
    note: 'By view: the p95, or the value where there is only one. Times at a processor 4× slower have no goal.',
    noise: / 10000/,
    pivot: /, (?<column>(?:grid|table)(?: in groups)?(?:, 4× slower)?)(?=,|$)/,
    statistic: 'p95',
  },
  events: {
    title: 'Search of 100,000 events',
    note: 'The events are of 50 cameras. By caller: the p95.',
    pivot: /, (?<column>administrator|viewer of 5 cameras)$/,
    statistic: 'p95',
  },
  calls: { title: 'Calls of a server with 10,000 streams', hidden: /, of the processor$/ },
  faults: {
    title: 'Recovery from faults',
    note: 'Seconds until a screen works again by itself. The goal is that every screen does.',
    hasUnitInNote: true,
    pivot: /: (?<column>[^:]+)$/,
  },
  h265: {
    title: 'H.265 cameras',
    note: 'What concerns a viewer is measured without the motion index.',
    pivot: /^(?<column>1080p|4K) /,
  },
  site: { title: 'A site of cameras' },
  month: { title: 'A month of 64 cameras' },
  backup: { title: 'Backup of a month of 64 cameras', note: 'The chunks are only listed and counted, not copied.' },
  motion: { title: 'Motion search' },
  nginx: {
    title: 'Segments served, against nginx',
    note: 'The same bytes of the same files to the same client, in turn. The ratio is of what a core serves.',
  },
  cluster: {
    title: 'A cluster of three nodes',
    note:
      'A fault every 30 s, each kind once before one comes again, and one node with a wrong clock. The goal of ' +
      '“recorded twice” and of lost seconds is the worst camera.',
  },
  'cluster-outage': {
    title: 'A cluster without its bucket, then without its database',
    note: 'Three nodes record 24 cameras. What they record meanwhile waits on their disks.',
  },
  'worker-killed': { title: 'An ingest worker killed' },
  'server-killed': { title: 'The server killed, or restarted' },
  crash: {
    title: 'A recording server killed',
    note: 'By what else happens to its data, the worst of all kills. A whole segment was synced to the disk.',
    pivot: /: (?<column>[^:]+)$/,
    statistic: 'worst',
  },
  alerts: {
    title: 'Alerts',
    note: 'Seconds until the message is there.',
    hasUnitInNote: true,
    pivot: / to the (?<column>mail|webhook|push)$/,
  },
  soak: {
    title: 'Soak',
    note: 'Growth over the later half.',
    noise: /^Soak of \d+ min, |, over the later half$|^Soak, /g,
  },
  leaks: { title: 'Opening and closing players' },
  package: {
    title: 'The package',
    note: 'The installation takes ffmpeg from a mirror of Debian, so its time is also that of the network.',
  },
  commits: { title: 'React commits' },
  inspector: { title: 'Inspector' },
}
const subjectOf = (name: string): Subject => subjects[name] ?? { title: name }

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

const texts = (columns: readonly string[]) => columns.map((column) => (/^(?:Goal|Met)$/.test(column) ? '---' : '--:'))

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
    `|${['---', ...texts(columns)].join('|')}|`,
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

export interface Run {
  /** The bench's name. */
  readonly name: string
  readonly command: string
  readonly measuredAt: string
  readonly pace: number
  readonly results: readonly Result[]
  /** Whether the bench measured only some of its figures: the others stay. */
  readonly isPart: boolean
}

const [begins, ends] = ['<!-- written by npm run bench -->', '<!-- up to here -->']

/** The page with the new figures of a bench instead of the old ones. */
export function pageWith(page: string, machine: string, run: Run): string {
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
    `- ${run.measuredAt.slice(0, 16).replace('T', ' ')} UTC, \`${run.command}\`, load ${load}, pace ${run.pace} ms`,
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
  const sorted = [...sections].toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other))
  return `${head}${begins}\n${machine}\n\n${sorted.map(([, text]) => text).join('\n\n')}\n${ends}${tail}`
}
