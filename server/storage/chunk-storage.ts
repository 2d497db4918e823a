/** An open file or an object, read at any position. */
export type RandomAccess = {
  stat: () => Promise<{ size: number }>
  read: (into: Buffer, offset: number, length: number, position: number) => Promise<{ bytesRead: number }>
}

export type Range = { offset: number; bytes: number }

/** Makes the buffer of a read, of exactly that many bytes. */
export type Allocate = (bytes: number) => Buffer

/** `allocate`: only a folder reads into what it gives, and may still write there once it has rejected. */
export type ReadOptions = { signal?: AbortSignal; allocate?: Allocate }

/** A chunk in a bucket, by its name. */
export type StoredObject = { uid: string; start: number; bytes: number }

/** Where sealed chunks lie: a folder or a bucket. `file` is a chunk's, relative to the folder of its recording. */
export type ChunkStorage = {
  /** Reads exactly these bytes. Rejects with ENOENT if there is no such file, `StorageAway` if that is unknown. */
  read: (uid: string, file: string, range: Range, options?: ReadOptions) => Promise<Buffer>
  /** Opens a file for `work`. Rejects like `read`. */
  withFile: <T>(uid: string, file: string, work: (opened: RandomAccess) => Promise<T>) => Promise<T>
  /** The length of a file; undefined if there is none. */
  sizeOf: (uid: string, file: string) => Promise<number | undefined>
  /** Writes a whole chunk, unless it exists already. Rejects with `OtherChunk` if the existing one has other bytes. */
  put: (uid: string, file: string, bytes: Buffer, signal?: AbortSignal) => Promise<void>
  /** Deletes files; missing ones are ignored. */
  remove: (uid: string, files: readonly string[], signal?: AbortSignal) => Promise<void>
  /** The same for chunks of many recordings: in a bucket with one request for each thousand. */
  removeAll: (chunks: readonly { uid: string; file: string }[], signal?: AbortSignal) => Promise<void>
  /** Moves a file that belongs to no recording to lost+found. A bucket leaves it where it is. */
  moveToLostAndFound: (uid: string, file: string) => Promise<void>
  /** The names of all recordings. */
  recordings: () => Promise<string[]>
  /** The names of a recording's hour folders. */
  hours: (uid: string) => Promise<string[]>
  /** The names of the files in an hour folder. */
  names: (uid: string, hour: string) => Promise<string[]>
  /**
   * The chunks among the first objects after one, in the order of their names; `next`: the name that the following page
   * begins after, if there is one. Only a bucket has pages.
   */
  page?: (
    after: string | undefined,
    limit: number,
    signal: AbortSignal,
  ) => Promise<{ objects: StoredObject[]; next: string | undefined }>
}

/** The storage doesn't answer, or answers with an error: a retry may succeed. */
export class StorageAway extends Error {
  override name = 'StorageAway'
}

/** The storage has another chunk under the name of the one to be written. */
export class OtherChunk extends Error {
  override name = 'OtherChunk'
}
