import { hash } from 'node:crypto'
import * as z from 'zod/mini'
import { Tracks as Stored } from '../ingest/protocol.ts'
import type { Tracks } from '../media/encoding.ts'
import { parseJson } from '../parse-json.ts'
import type { BackgroundWrites } from '../store/background-writes.ts'
import type { Store } from '../store/store.ts'
import { streamOf } from './substream.ts'

const Row = z.object({ tracks: z.string() })

const select = 'SELECT tracks FROM stream_tracks WHERE recording = ? AND source_hash = ?'
const upsert = `INSERT INTO stream_tracks (recording, uid, source_hash, tracks)
  SELECT ?, uid, ?, ? FROM streams WHERE uid = ?
  ON CONFLICT (recording) DO UPDATE SET source_hash = excluded.source_hash, tracks = excluded.tracks`

/** How long tracks are taken as unchanged if the source doesn't say what it offers. */
const keptMs = 120_000

export type TrackStore = {
  /**
   * The tracks of a source, if no probe is needed: it says what it offers, so that a change shows, or it was recorded
   * until two minutes ago. `recordedUntil`: epoch milliseconds.
   */
  read: (recording: string, source: string, recordedUntil: number) => Promise<Tracks | undefined>
  /**
   * Stores what a probe has found and a connection has confirmed, in the background; nothing if its sound couldn't be
   * decoded.
   */
  write: (recording: string, source: string, tracks: Tracks) => void
}

/** The tracks of sources, so that a server that starts again records cameras without probing them. */
export const createTrackStore = (store: Store, backgroundWrites: BackgroundWrites, now: () => number): TrackStore => ({
  read: async (recording, source, recordedUntil) => {
    const row = await store.get(Row, select, recording, hash('sha256', source))
    const tracks = row === undefined ? undefined : parseJson(Stored, row.tracks)
    return tracks?.offer === undefined && now() - recordedUntil > keptMs ? undefined : tracks
  },
  write: (recording, source, tracks) => {
    if (tracks.sound === 'unusable') return
    backgroundWrites.add(() =>
      store.run(upsert, recording, hash('sha256', source), JSON.stringify(tracks), streamOf(recording)),
    )
  },
})
