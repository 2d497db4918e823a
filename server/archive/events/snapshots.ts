import * as z from 'zod/mini'
import { maxSnapshotBytes } from '../../../src/api/contract/events.ts'
import { validationError } from '../../http/api-error.ts'
import { requirePicture } from '../../media/require-picture.ts'
import { query, type Store } from '../../store/store.ts'

/** The picture that a detector sent with an event. */
export type EventSnapshot = { type: string; bytes: Uint8Array }

/** Decodes the snapshot of a request. Throws 400 with `field`. */
export const requireSnapshot = (base64: string, field: string): EventSnapshot => {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > maxSnapshotBytes) throw validationError({ [field]: 'Too large' })
  return { type: requirePicture(bytes, field).type, bytes }
}

/**
 * The snapshots that may be shown, `s`; a condition follows. It isn't known which part of the camera's picture a
 * snapshot shows, so that the privacy masks of the stream can't be drawn into it.
 */
const visible = "FROM annotation_snapshots s JOIN streams ON streams.uid = s.uid AND streams.masks = '[]' WHERE"

/** SQL for whether an annotation has a snapshot that may be shown. */
export const hasSnapshotColumn = `CASE WHEN EXISTS (SELECT 1 ${visible} s.annotation = annotations.id) THEN 1 ELSE 0 END
  AS hasSnapshot`

const SnapshotRow = z.object({ type: z.string(), bytes: z.instanceof(Uint8Array) })

/** `maxKept`: of a stream; older ones are deleted. */
export const createSnapshotStore = (store: Store, maxKept = 2000) => {
  const shown = query(
    store,
    SnapshotRow,
    `SELECT s.media_type AS type, s.bytes AS bytes ${visible} s.uid = ? AND s.annotation = ?`,
  )
  return {
    add: async (uid: string, id: number, { type, bytes }: EventSnapshot): Promise<void> => {
      const insert = 'INSERT INTO annotation_snapshots (annotation, uid, media_type, bytes) VALUES (?, ?, ?, ?)'
      await store.run(insert, id, uid, type, bytes)
      await store.run(
        `DELETE FROM annotation_snapshots WHERE uid = ?1 AND annotation <= (
          SELECT annotation FROM annotation_snapshots WHERE uid = ?1 ORDER BY annotation DESC LIMIT 1 OFFSET ?2)`,
        uid,
        maxKept,
      )
    },
    /** The snapshot of an event of the stream, unless the stream has privacy masks. */
    get: (uid: string, id: number): Promise<EventSnapshot | undefined> => shown.get(uid, id),
  }
}
