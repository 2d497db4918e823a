import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createLiveFeed, type FeedOptions } from '../../server/archive/recorder/live-feed.ts'
import { createLiveWindow } from '../../server/archive/recorder/live-window.ts'
import { createRecorder, type Recorder, type RecorderOptions } from '../../server/archive/recorder/recorder.ts'
import { createChunkIndexer } from '../../server/archive/index/chunk-indexer.ts'
import { createSegmentIndex, type SegmentIndex } from '../../server/archive/index/segment-index.ts'
import { archiveSteps } from '../../server/archive/repair/tables.ts'
import { boxesIn } from '../../server/media/boxes.ts'
import { fragmentArguments, h264Arguments } from '../../server/media/encoding.ts'
import { readInit, type Fragment, type Init } from '../../server/media/fragments.ts'
import { openDatabase } from '../../server/store/sqlite.ts'
import { storeOver } from './memory-store.ts'
import { oneVolume } from './one-volume.ts'

export const t0 = Date.parse('2026-11-21T08:00:00.000Z')

/** One second of video, encoded by ffmpeg. */
export const drawnInit = (): Init => {
  const { stdout } = spawnSync('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=64x64:r=5:d=1',
    ...h264Arguments,
    ...fragmentArguments,
  ])
  const head = boxesIn(stdout).filter(({ type }) => type === 'ftyp' || type === 'moov')
  const init = readInit(Buffer.concat(head.map(({ start, end }) => stdout.subarray(start, end))))
  if (init === undefined) throw new Error('no init')
  return init
}

/** Half a second of a source, with the given number of bytes. */
export const fragmentAt = (start: number, isIndependent: boolean, size = 100): Fragment => ({
  bytes: Buffer.alloc(size),
  start,
  duration: 0.5,
  frames: 1,
  span: 0.5,
  isIndependent,
  hasLeadingPictures: false,
  hasSound: false,
  soundLead: 0,
  picture: { offset: 0, length: 0 },
})

/**
 * A recorder of a stream `door` with its own disk and database; each fragment sets its clock. `known`: the index and
 * folder of an earlier recorder.
 */
export const openRecorder = async (
  change: (index: SegmentIndex) => Partial<SegmentIndex> = () => ({}),
  options: Partial<RecorderOptions & FeedOptions> = {},
  known?: { index: SegmentIndex; dataDir: string },
) => {
  const dataDir = known?.dataDir ?? mkdtempSync(join(tmpdir(), 'sightline-engine-'))
  const db = openDatabase(':memory:')
  onTestFinished(() => {
    db.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const store = await storeOver(db, new Map([['archive', archiveSteps]]))
  const whole = known?.index ?? createSegmentIndex(store)
  const index: SegmentIndex = { ...whole, ...change(whole) }
  const live = createLiveWindow()
  const failures: unknown[] = []
  const unindexed: unknown[] = []
  const { recording, ...counts } = await whole.open('door')
  const volumes = oneVolume(dataDir)
  const rows = createChunkIndexer({
    index,
    volumes,
    onIndexed: () => undefined,
    onFailure: (_uid, error) => unindexed.push(error),
  })
  const feed = createLiveFeed({
    live,
    read: async (start, part) => recorder.read(start, part),
    onFailure: (reason) => failures.push(reason),
    onSealed: (chunk, run) => rows.add({ uid: 'door', recording, chunk, run }),
    onCounts: (ahead) => void index.raise(recording, ahead),
    ...options,
    onSegment: (segment, run, isKept) => {
      if (isKept) index.addUnindexed('door', segment, run)
      options.onSegment?.(segment, run, isKept)
    },
  })
  const recorder: Recorder = createRecorder({
    target: () => volumes.targetFor('door'),
    start: { recording, counts, recordedUntil: (await whole.newest('door'))?.finish ?? 0 },
    isArchived: () => true,
    partSeconds: 0.35,
    now: () => t0,
    isRecorded: async (from, to) => (await index.within('door', from, to, 1)).length > 0,
    emit: feed,
    ...options,
  })
  return { recorder, live, index: whole, rows, failures, unindexed, dataDir, db }
}
