import type { Run } from '../format/run.ts'
import { sealedFile } from '../../storage/folders.ts'
import type { Segment } from '../format/segment.ts'

type UnindexedChunk = { run: Run; volume: number; file: string; segments: Segment[] }

/** Chunks without a row: those being written, and those that couldn't be indexed yet. */
export const createUnindexedChunks = (isMissing: (volume: number) => boolean) => {
  const chunksByUid = new Map<string, Map<number, UnindexedChunk>>()
  const chunksOf = (uid: string): UnindexedChunk[] => [...(chunksByUid.get(uid)?.values() ?? [])]
  const available = (uid: string): UnindexedChunk[] => chunksOf(uid).filter(({ volume }) => !isMissing(volume))

  return {
    /** Adds a recorded segment; `chunk` is the start of its chunk. */
    add: (uid: string, chunk: number, segment: Segment, run: Run): void => {
      const chunks = chunksByUid.get(uid) ?? new Map<number, UnindexedChunk>()
      chunksByUid.set(uid, chunks)
      const known = chunks.get(chunk)
      if (known === undefined)
        chunks.set(chunk, { run, volume: segment.volume, file: segment.file, segments: [segment] })
      else known.segments.push(segment)
    },
    /** The file of the chunk has its final name now. */
    seal: (uid: string, chunk: number): void => {
      const known = chunksByUid.get(uid)?.get(chunk)
      const file = known === undefined ? undefined : sealedFile(known.file)
      if (known === undefined || file === undefined) return
      known.file = file
      known.segments = known.segments.map((segment) => ({ ...segment, file }))
    },
    /** For a chunk that is indexed or lost. */
    drop: (uid: string, chunk: number): void => {
      const chunks = chunksByUid.get(uid)
      chunks?.delete(chunk)
      if (chunks?.size === 0) chunksByUid.delete(uid)
    },
    dropAll: (uid: string): void => void chunksByUid.delete(uid),
    has: (uid: string, chunk: number): boolean => chunksByUid.get(uid)?.has(chunk) === true,
    within: (uid: string, from: number, to: number): Segment[] =>
      available(uid).flatMap(({ segments }) => segments.filter(({ start, finish }) => start < to && finish > from)),
    all: (uid: string): Segment[] => available(uid).flatMap(({ segments }) => segments),
    bytes: (): number =>
      [...chunksByUid.values()]
        .flatMap((chunks) => [...chunks.values()])
        .reduce((sum, { segments }) => segments.reduce((bytes, segment) => bytes + segment.bytes, sum), 0),
    /** The run of that id. */
    run: (uid: string, id: number): Run | undefined => chunksOf(uid).find(({ run }) => run.id === id)?.run,
    runs: (uid: string, from: number, to: number): Run[] =>
      available(uid)
        .filter(({ segments }) => segments.some(({ start, finish }) => start < to && finish > from))
        .map(({ run }) => run),
  }
}
