/** Moments at most this long before now are shown live, as in the player. */
export const liveMs = 15_000
/** One frame at 25 frames per second. */
const stepMs = 40
/** The longest time between two writes of the address at speed 1, by which it may lag behind the clock. */
const addressLagMs = 5000

export const isLiveMoment = (at: number, now: number): boolean => at > now - liveMs

/** The moment itself, or the newest one that is shown from the archive. */
export const archiveMoment = (at: number, now: number): number => Math.min(at, now - liveMs)

/** The moment of the next (1) or previous (-1) frame. */
export const stepped = (at: number, direction: 1 | -1, now: number): number =>
  archiveMoment(at + direction * stepMs, now)

/** Whether the address requests another moment; within its lag it only trails the moment `at` that plays. */
export const isOtherMoment = (
  requested: number | null,
  { at, rate }: { readonly at: number | null; readonly rate: number },
): boolean => requested !== null && (at === null || Math.abs(requested - at) > addressLagMs * Math.max(1, rate))
