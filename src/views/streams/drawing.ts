export interface Drawn {
  readonly streams: ReadonlySet<number>
  readonly actions: ReadonlySet<number>
}

export const nothing: Drawn = { streams: new Set(), actions: new Set() }

/** What one frame adds at most, so that no frame takes long. */
const maxAdded = { streams: 2, actions: 4 }

const isMissing = (loaded: readonly number[], drawn: ReadonlySet<number>) => loaded.some((entry) => !drawn.has(entry))

export const isComplete = (loaded: readonly number[], { streams, actions }: Drawn): boolean =>
  !isMissing(loaded, streams) && !isMissing(loaded, actions)

/** Adds streams from the top, and then their buttons. */
export function withMore({ streams, actions }: Drawn, loaded: readonly number[]): Drawn {
  return isMissing(loaded, streams)
    ? { streams: filled(streams, loaded, maxAdded.streams), actions }
    : { streams, actions: filled(actions, loaded, maxAdded.actions) }
}

function filled(drawn: ReadonlySet<number>, loaded: readonly number[], count: number): ReadonlySet<number> {
  return new Set([
    ...loaded.filter((entry) => drawn.has(entry)),
    ...loaded.filter((entry) => !drawn.has(entry)).slice(0, count),
  ])
}
