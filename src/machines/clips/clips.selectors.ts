import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { clipsMachine, Download } from './clips.machine.ts'

export type ClipsRef = ActorRefFrom<typeof clipsMachine>

export const selectDownloads = ({ context }: SnapshotFrom<typeof clipsMachine>) => context.downloads

/**
 * `open` is the number of files that wait or download. `percent` is how much of their requests is downloaded, by the
 * length of the ranges.
 */
export type Summary = {
  readonly open: number
  readonly saved: number
  readonly refused: number
  readonly percent: number
}

/** The downloaded share of a file, from 0 to 1. */
function shareOf({ progress }: Download): number {
  if (progress.kind === 'saved') return 1
  return progress.kind === 'downloading' && progress.total !== null ? Math.min(1, progress.bytes / progress.total) : 0
}

const isOpen = ({ progress: { kind } }: Download) => kind === 'waiting' || kind === 'downloading'

export function summaryOf(downloads: readonly Download[]): Summary {
  const openRequests = new Set(downloads.filter(isOpen).map(({ request }) => request))
  const counted = downloads.filter(
    (one) => openRequests.has(one.request) && (isOpen(one) || one.progress.kind === 'saved'),
  )
  const totalMs = counted.reduce((sum, { from, to }) => sum + to - from, 0)
  const downloadedMs = counted.reduce((sum, one) => sum + (one.to - one.from) * shareOf(one), 0)
  const count = (kind: Download['progress']['kind']) =>
    downloads.filter(({ progress }) => progress.kind === kind).length
  return {
    open: downloads.filter(isOpen).length,
    saved: count('saved'),
    refused: count('refused'),
    percent: totalMs === 0 ? 0 : Math.floor((downloadedMs / totalMs) * 100),
  }
}
