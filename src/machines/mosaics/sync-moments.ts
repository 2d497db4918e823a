/** Moments newer than this are shown live, as in the player. */
export const liveMs = 15_000
/** One frame at 25 frames per second. */
const stepMs = 40
/** The address is written this seldom at speed 1, so that it lags behind the clock. */
const addressLagMs = 5000

export const isLiveMoment = (at: number, now: number): boolean => at > now - liveMs

export const archiveMoment = (at: number, now: number): number => Math.min(at, now - liveMs)

export const stepped = (at: number, direction: 1 | -1, now: number): number =>
  archiveMoment(at + direction * stepMs, now)

/** Whether the address requests another moment than the one that plays, rather than lagging behind it. */
export const isOtherMoment = (
  requested: number | null,
  { at, rate }: { readonly at: number | null; readonly rate: number },
): boolean => requested !== null && (at === null || Math.abs(requested - at) > addressLagMs * Math.max(1, rate))
