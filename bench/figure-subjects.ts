/** How docs/figures.md shows the figures of a bench. */
export interface Subject {
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
export const subjects: Readonly<Record<string, Subject>> = {
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
  'camera-restarted': {
    title: 'Cameras that restart',
    note: 'Cameras of 2 Mbit/s, 720p and a keyframe every 2 s, each gone for 2 s.',
    pivot: /^camera (?<column>killed|silent): /,
    statistic: 'worst',
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
  reverse: { title: 'Backwards' },
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
export const subjectOf = (name: string): Subject => subjects[name] ?? { title: name }
