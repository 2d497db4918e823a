import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import * as z from 'zod/mini'
import { createChunkIndexer, type SealedChunk } from '../../server/archive/index/chunk-indexer.ts'
import { createChunkWriter } from '../../server/archive/format/chunk-writer.ts'
import { createLateChunks } from '../../server/archive/repair/late-chunks.ts'
import { newRunKey, runOf } from '../../server/archive/format/run.ts'
import { createSegmentIndex } from '../../server/archive/index/segment-index.ts'
import { archiveSteps } from '../../server/archive/repair/tables.ts'
import { clusterSteps } from '../../server/cluster/tables.ts'
import { archiveFolder, chunkFile } from '../../server/storage/folders.ts'
import { openVolumes } from '../../server/storage/volumes.ts'
import { openPostgres } from '../../server/store/postgres/open.ts'
import { openStore } from '../../server/store/store.ts'
import { streamsSteps } from '../../server/streams/tables.ts'
import { usersSteps } from '../../server/users/tables.ts'
import { databaseOf } from './database.ts'
import { connectHere } from './local-connection.ts'
import { camera, newFolder, t0, uid } from './tape.ts'

/** Archives of nodes on one database, whose leases, leader and clock a test sets. */
export const openArchives = async () => {
  const folder = newFolder()
  const { databaseUrl } = await databaseOf(folder)
  const schema = new Map([
    ['users', usersSteps],
    ['streams', streamsSteps],
    ['cluster', clusterSteps],
    ['archive', archiveSteps],
  ])
  const store = await (databaseUrl === undefined
    ? openStore(join(folder, 'a.db'), connectHere, schema)
    : openPostgres(databaseUrl, schema))
  onTestFinished(store.close)
  const site = { store, folder, leader: 'a', away: new Set<string>(), time: t0 }

  const open = async (nodeId: string, isShared = true) => {
    const dataDir = join(folder, nodeId)
    const volumes = await openVolumes({
      store,
      dataDir,
      archiveDirs: [archiveFolder(dataDir)],
      cluster: {
        isShared,
        nodeId,
        isAvailable: (id) => !site.away.has(id),
        isLeader: () => site.leader === nodeId,
      },
      now: () => site.time,
      warn: () => undefined,
    })
    onTestFinished(volumes.stop)
    const index = createSegmentIndex(store, volumes, isShared)
    const onFailure = (_uid: string, error: unknown) => {
      throw error
    }
    const late = createLateChunks({ index, volumes, now: () => site.time, onIndexed: () => undefined, onFailure })
    const rows = createChunkIndexer({
      index,
      volumes,
      onIndexed: () => undefined,
      onRefused: late.refuse,
      onFailure,
    })

    /** Seals a chunk of segments of two seconds, some seconds after t0. */
    const seal = async (from: number, to: number): Promise<SealedChunk> => {
      const { init, composer } = await camera('gate')
      const { recording } = await index.open(uid)
      const run = runOf(from + 1 + (nodeId === 'a' ? 1000 : 2000), newRunKey(), init)
      const sealed = Promise.withResolvers<SealedChunk>()
      const writer = createChunkWriter({
        target: () => volumes.targetFor(uid),
        onSealed: (chunk) => sealed.resolve({ uid, recording, chunk, run }),
        onFailure: sealed.reject,
      })
      const counts = { nextSequence: 0, nextDiscontinuity: 0, targetDuration: 2 }
      for (let second = from; second < to; second += 2) {
        const start = t0 + second * 1000
        const spool = await writer.spoolFor({ start, run, isKept: true, counts })
        await spool.append(composer.fragment(start / 1000, 2, second - from))
        await spool.commit({ start, finish: start + 2000, duration: 2, mediaStart: second - from })
      }
      await writer.end()
      return sealed.promise
    }
    const add = async (sealed: SealedChunk, epoch: number): Promise<void> => {
      rows.add({ ...sealed, epoch })
      await rows.settled()
    }
    const record = async (from: number, to: number, epoch: number): Promise<void> => add(await seal(from, to), epoch)
    return {
      volumes,
      index,
      late,
      seal,
      add,
      record,
      path: (second: number) => join(archiveFolder(dataDir), uid, chunkFile(t0 + second * 1000)),
      archive: { index, volumes, uid, isArchived: true, runId: () => 1 },
    }
  }
  const Row = z.object({ start: z.number(), finish: z.number(), volume: z.number() })
  return {
    ...site,
    open,
    site,
    /** Another node takes the stream. */
    lease: (node: string, epoch: number, second: number) =>
      store.run(
        `INSERT INTO leases (uid, node, epoch, expires, since, reason) VALUES (?, ?, ?, 0, ?, 'placed')
         ON CONFLICT (uid) DO UPDATE SET node = excluded.node, epoch = excluded.epoch, since = excluded.since`,
        uid,
        node,
        epoch,
        t0 + second * 1000,
      ),
    /** In seconds after t0: `from–to on volume`. */
    chunks: async () =>
      (await store.all(Row, 'SELECT start, finish, volume FROM chunks ORDER BY start')).map(
        ({ start, finish, volume }) => `${(start - t0) / 1000}–${(finish - t0) / 1000} on ${volume}`,
      ),
  }
}
