import type { Run } from './run.ts'
import { sealedFile } from '../storage/folders.ts'
import type { Segment } from './segment.ts'

type Held = { run: Run; volume: number; file: string; segments: Segment[] }

/** Chunks without a row yet: those being written, and those that the database couldn't take. */
export const createHeldChunks = (isMissing: (volume: number) => boolean) => {
  const held = new Map<string, Map<number, Held>>()
  const of = (uid: string): Held[] => [...(held.get(uid)?.values() ?? [])]
  const there = (uid: string): Held[] => of(uid).filter(({ volume }) => !isMissing(volume))

  return {
    /** Adds a recorded segment; `chunk` is the start of its chunk. */
    add: (uid: string, chunk: number, segment: Segment, run: Run): void => {
      const chunks = held.get(uid) ?? new Map<number, Held>()
      held.set(uid, chunks)
      const known = chunks.get(chunk)
      if (known === undefined)
        chunks.set(chunk, { run, volume: segment.volume, file: segment.file, segments: [segment] })
      else known.segments.push(segment)
    },
    /** The chunk's file has its final name. */
    seal: (uid: string, chunk: number): void => {
      const known = held.get(uid)?.get(chunk)
      const file = known === undefined ? undefined : sealedFile(known.file)
      if (known === undefined || file === undefined) return
      known.file = file
      known.segments = known.segments.map((segment) => ({ ...segment, file }))
    },
    /** The chunk is indexed or lost. */
    drop: (uid: string, chunk: number): void => {
      const chunks = held.get(uid)
      chunks?.delete(chunk)
      if (chunks?.size === 0) held.delete(uid)
    },
    dropAll: (uid: string): void => void held.delete(uid),
    has: (uid: string, chunk: number): boolean => held.get(uid)?.has(chunk) === true,
    within: (uid: string, from: number, to: number): Segment[] =>
      there(uid).flatMap(({ segments }) => segments.filter(({ start, finish }) => start < to && finish > from)),
    all: (uid: string): Segment[] => there(uid).flatMap(({ segments }) => segments),
    bytes: (): number =>
      [...held.values()]
        .flatMap((chunks) => [...chunks.values()])
        .reduce((sum, { segments }) => segments.reduce((bytes, segment) => bytes + segment.bytes, sum), 0),
    run: (uid: string, id: number): Run | undefined => of(uid).find(({ run }) => run.id === id)?.run,
    runs: (uid: string, from: number, to: number): Run[] =>
      there(uid)
        .filter(({ segments }) => segments.some(({ start, finish }) => start < to && finish > from))
        .map(({ run }) => run),
  }
}
