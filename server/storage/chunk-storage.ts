/** What can be read anywhere: an open file, or an object. */
export type RandomAccess = {
  stat: () => Promise<{ size: number }>
  read: (into: Buffer, offset: number, length: number, position: number) => Promise<{ bytesRead: number }>
}

export type Range = { offset: number; bytes: number }

/** Where sealed chunks lie: a folder or a bucket. `file` is a chunk's, relative to the folder of its recording. */
export type ChunkStorage = {
  /** Exactly these bytes. Rejects with ENOENT if there is no such file, with `StorageAway` if that is unknown. */
  read: (uid: string, file: string, range: Range, signal?: AbortSignal) => Promise<Buffer>
  /** Looks into a file. Rejects as `read` does. */
  withFile: <T>(uid: string, file: string, work: (opened: RandomAccess) => Promise<T>) => Promise<T>
  /** The length of a file; undefined if there is none. */
  sizeOf: (uid: string, file: string) => Promise<number | undefined>
  /** Keeps a whole chunk. One that is there already stays: it is the same, or this rejects with `OtherChunk`. */
  put: (uid: string, file: string, bytes: Buffer, signal?: AbortSignal) => Promise<void>
  /** Those that are gone already are fine. */
  remove: (uid: string, files: readonly string[], signal?: AbortSignal) => Promise<void>
  /** Keeps a file that belongs to nothing known out of the way. */
  setAside: (uid: string, file: string) => Promise<void>
  recordings: () => Promise<string[]>
  /** The hours of a recording, as its files are named. */
  hours: (uid: string) => Promise<string[]>
  /** The names of the files of an hour. */
  names: (uid: string, hour: string) => Promise<string[]>
}

/** The storage doesn't answer, or not as it should: later it may. */
export class StorageAway extends Error {
  override name = 'StorageAway'
}

/** Another chunk has the name of one that is to be kept. */
export class OtherChunk extends Error {
  override name = 'OtherChunk'
}
