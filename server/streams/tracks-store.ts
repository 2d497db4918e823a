import { hash } from 'node:crypto'
import * as z from 'zod/mini'
import { Tracks } from '../ingest/protocol.ts'
import { parseJson } from '../parse-json.ts'
import type { BackgroundWrites } from '../store/background-writes.ts'
import type { Store } from '../store/store.ts'
import { streamOf } from './substream.ts'

const TracksRow = z.object({ tracks: z.string() })

/** The tracks of sources, stored so that a start, or another node, needs no probes. */
export type TracksStore = {
  /** Undefined if none are stored for this source. */
  read: (recording: string, source: string) => Promise<Tracks | undefined>
  /** Stores the tracks of a source that delivers, in the background. */
  store: (recording: string, source: string, tracks: Tracks) => void
}

/** A source has credentials, and is only compared. */
const keyOf = (source: string): string => hash('sha256', source)

export const createTracksStore = (store: Store, backgroundWrites: BackgroundWrites): TracksStore => {
  const stored = new Map<string, string>()
  return {
    read: async (recording, source) => {
      const sql = 'SELECT tracks FROM stream_tracks WHERE recording = ? AND source = ?'
      const row = await store.get(TracksRow, sql, recording, keyOf(source))
      return row === undefined ? undefined : parseJson(Tracks, row.tracks)
    },
    store: (recording, source, tracks) => {
      const [key, text] = [keyOf(source), JSON.stringify(tracks)]
      // Sound that couldn't be decoded is probed again after a start.
      if (tracks.sound === 'unusable' || stored.get(recording) === key + text) return
      stored.set(recording, key + text)
      backgroundWrites.add(() =>
        store.run(
          `INSERT INTO stream_tracks (recording, uid, source, tracks) SELECT ?, uid, ?, ? FROM streams WHERE uid = ?
           ON CONFLICT (recording) DO UPDATE SET source = excluded.source, tracks = excluded.tracks`,
          recording,
          key,
          text,
          streamOf(recording),
        ),
      )
    },
  }
}
