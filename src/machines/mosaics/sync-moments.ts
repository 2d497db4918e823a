/** Younger moments are live, as in a player. */
export const liveMs = 15_000
/** One frame of a camera of 25 frames a second. */
const stepMs = 40
/** An address that the page wrote comes back at most this much later. */
const writtenMs = 5000

export const isLiveMoment = (at: number, now: number): boolean => at > now - liveMs

export const archiveMoment = (at: number, now: number): number => Math.min(at, now - liveMs)

export const stepped = (at: number, direction: 1 | -1, now: number): number =>
  archiveMoment(at + direction * stepMs, now)

/** Whether an address asks for another moment than the one that plays; its own address follows the clock late. */
export const isOtherMoment = (
  asked: number | null,
  { at, rate }: { readonly at: number | null; readonly rate: number },
): boolean => asked !== null && (at === null || Math.abs(asked - at) > writtenMs * Math.max(1, rate))
