export interface Drawn {
  readonly streams: ReadonlySet<number>
  readonly actions: ReadonlySet<number>
}

export const nothing: Drawn = { streams: new Set(), actions: new Set() }

/** The most that one frame adds, so that no frame takes long. */
const most = { streams: 2, actions: 4 }

const isMissing = (wanted: readonly number[], drawn: ReadonlySet<number>) => wanted.some((entry) => !drawn.has(entry))

export const isComplete = (wanted: readonly number[], { streams, actions }: Drawn): boolean =>
  !isMissing(wanted, streams) && !isMissing(wanted, actions)

/** Adds streams from the top, and then their buttons. */
export function withMore({ streams, actions }: Drawn, wanted: readonly number[]): Drawn {
  return isMissing(wanted, streams)
    ? { streams: filled(streams, wanted, most.streams), actions }
    : { streams, actions: filled(actions, wanted, most.actions) }
}

function filled(drawn: ReadonlySet<number>, wanted: readonly number[], count: number): ReadonlySet<number> {
  return new Set([
    ...wanted.filter((entry) => drawn.has(entry)),
    ...wanted.filter((entry) => !drawn.has(entry)).slice(0, count),
  ])
}
