/** A moment as a query has it; undefined for none. */
export const iso = (epochMs: number | null): string | undefined =>
  epochMs === null ? undefined : new Date(epochMs).toISOString()
