/** RFC 3339 for a query; undefined (no parameter) for null. */
export const iso = (epochMs: number | null): string | undefined =>
  epochMs === null ? undefined : new Date(epochMs).toISOString()
