import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { hash } from 'node:crypto'
import { basename } from 'node:path'
import { ApiError } from '../http/api-error.ts'
import { parseJson } from '../parse-json.ts'
import { createShared, createSlots } from '../media/slots.ts'
import { asStorageError, isConflict, NoObject } from './bucket-errors.ts'
import { readBucketUrl } from './bucket-url.ts'
import { OtherChunk, StorageAway, type ChunkStorage } from './chunk-storage.ts'
import { isHourFolder, ignoring } from './folders.ts'
import { Marker, markerBytes, markerName } from './volume-files.ts'

export type Bucket = ChunkStorage & {
  /** The volume's key, from the marker; undefined without a marker. */
  readMarker: () => Promise<string | undefined>
  writeMarker: (key: string) => Promise<void>
  close: () => void
}

/** The time limit of one request until the head of its answer; the SDK tries three times. */
const requestMs = 5000
const connectMs = 3000
/** The time limit of a call with a small answer, with all that the SDK tries: an answer may stop after its head. */
const callMs = 30_000
/** The time limit of an upload of a whole chunk. */
const putMs = 120_000
/** The time limit of a read, with all that the SDK tries, besides the time for its bytes at 16 Mbit/s. */
const readMs = 10_000
const leastBytesPerMs = 2000
const reads = { size: 32, waiting: 512, waitingEach: 64 }
const deletedAtOnce = 1000
const readTries = 2
const maxMarkerBytes = 1024
/** Others may write to the bucket: a name from it must not lead out of the archive. */
const recordingName = /^[\w-][\w.-]{0,200}$/
const chunkKey = /^([^/]+)\/\d{10}\/(\d{1,16})\.mp4$/

const signalsOf = (signal?: AbortSignal): AbortSignal[] => (signal === undefined ? [] : [signal])
const sha256Of = (bytes: Buffer): string => hash('sha256', bytes, 'hex')

/** Chunks as objects of a bucket: `prefix/recording/hour/start.mp4`. */
export const openBucket = (bucketUrl: string): Bucket => {
  const { bucket, prefix, endpoint, region, forcePathStyle } = readBucketUrl(bucketUrl)
  const client = new S3Client({
    forcePathStyle,
    ...(endpoint === undefined ? {} : { endpoint, region: region ?? 'us-east-1' }),
    ...(region === undefined ? {} : { region }),
    // Other stores refuse the checksum trailers of Amazon's SDK.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: requestMs,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: 64 },
      httpsAgent: { keepAlive: true, maxSockets: 64 },
    },
  })
  const closing = new AbortController()
  const abortedBy = (...signals: readonly AbortSignal[]) => ({
    abortSignal: AbortSignal.any([closing.signal, ...signals]),
  })
  const limitedBy = (...signals: readonly AbortSignal[]) => abortedBy(AbortSignal.timeout(callMs), ...signals)
  const shared = createShared<Buffer>(createSlots(reads))

  const keyOf = (uid: string, file: string): string => `${prefix}${basename(uid)}/${file}`
  const withStorageErrors = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw asStorageError(error)
    }
  }

  /** Reads exactly these bytes of an object. */
  const getOnce = async (key: string, offset: number, bytes: number, signal: AbortSignal): Promise<Buffer> => {
    const input = { Bucket: bucket, Key: key, Range: `bytes=${offset}-${offset + bytes - 1}` }
    const { Body, ContentLength } = await client.send(new GetObjectCommand(input), abortedBy(signal))
    const isWhole = Body !== undefined && ContentLength === bytes
    const found = isWhole ? Buffer.from(await Body.transformToByteArray()) : undefined
    if (found?.length !== bytes) throw new StorageAway('The bucket sent fewer bytes than were requested')
    return found
  }

  const get = async (key: string, offset: number, bytes: number, signal: AbortSignal): Promise<Buffer> => {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(readMs + Math.ceil(bytes / leastBytesPerMs))])
    for (let tries = 1; ; tries += 1) {
      try {
        return await withStorageErrors(() => getOnce(key, offset, bytes, limited))
      } catch (error) {
        // The SDK doesn't retry when a body breaks off.
        if (limited.aborted || tries === readTries || !(error instanceof StorageAway)) throw error
      }
    }
  }

  const head = async (key: string): Promise<{ size: number; sha256: string | undefined } | undefined> => {
    try {
      const found = await withStorageErrors(() =>
        client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }), limitedBy()),
      )
      return { size: found.ContentLength ?? 0, sha256: found.Metadata?.['sha256'] }
    } catch (error) {
      return ignoring('ENOENT')(error)
    }
  }

  /** Writes an object. False if it exists already. */
  const create = async (key: string, bytes: Buffer, signal?: AbortSignal): Promise<boolean> => {
    try {
      await client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: key,
          Body: bytes,
          ContentLength: bytes.length,
          ContentMD5: hash('md5', bytes, 'base64'),
          Metadata: { sha256: sha256Of(bytes) },
          IfNoneMatch: '*',
        }),
        { requestTimeout: putMs, ...abortedBy(...signalsOf(signal)) },
      )
      return true
    } catch (error) {
      if (isConflict(error)) return false
      throw asStorageError(error)
    }
  }

  const isSame = async (key: string, bytes: Buffer): Promise<boolean> => {
    const found = await head(key)
    if (found?.size !== bytes.length) return false
    if (found.sha256 !== undefined) return found.sha256 === sha256Of(bytes)
    return bytes.equals(await get(key, 0, bytes.length, new AbortController().signal))
  }

  /** The names below a prefix, up to the next slash. */
  const namesBelow = async (below: string): Promise<string[]> => {
    const found: string[] = []
    let token: string | undefined
    do {
      const input = { Bucket: bucket, Prefix: below, Delimiter: '/', ContinuationToken: token }
      const page = await withStorageErrors(() => client.send(new ListObjectsV2Command(input), limitedBy()))
      for (const { Prefix = '' } of page.CommonPrefixes ?? []) found.push(basename(Prefix))
      for (const { Key = '' } of page.Contents ?? []) if (Key !== below) found.push(basename(Key))
      token = page.NextContinuationToken
    } while (token !== undefined)
    return found
  }

  const removeObjects = async (keys: readonly string[], signal?: AbortSignal): Promise<void> => {
    for (let from = 0; from < keys.length; from += deletedAtOnce) {
      const Objects = keys.slice(from, from + deletedAtOnce).map((Key) => ({ Key }))
      const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } })
      const { Errors = [] } = await withStorageErrors(() => client.send(command, limitedBy(...signalsOf(signal))))
      const [first] = Errors.filter(({ Code }) => Code !== 'NoSuchKey')
      if (first !== undefined) throw new StorageAway(`Not removed: ${first.Code ?? ''} ${first.Message ?? ''}`)
    }
  }

  const sizeOf: Bucket['sizeOf'] = async (uid, file) => (await head(keyOf(uid, file)))?.size

  return {
    read: (uid, file, { offset, bytes }, { signal } = {}) => {
      const key = keyOf(uid, file)
      return shared(`${key} ${offset} ${bytes}`, { caller: uid, signal }, (signalOfAll) =>
        get(key, offset, bytes, signalOfAll),
      ).catch((error: unknown) => {
        if (!(error instanceof ApiError) || signal?.aborted === true) throw error
        throw new StorageAway('Too many reads of the bucket wait', { cause: error })
      })
    },
    withFile: async (uid, file, work) => {
      const key = keyOf(uid, file)
      const found = await head(key)
      if (found === undefined) throw new NoObject('There is no such object')
      const { size } = found
      return work({
        stat: async () => ({ size }),
        read: async (into, offset, length, position) => {
          const bytes = Math.max(0, Math.min(length, size - position))
          if (bytes === 0) return { bytesRead: 0 }
          const read = await get(key, position, bytes, new AbortController().signal)
          return { bytesRead: read.copy(into, offset) }
        },
      })
    },
    sizeOf,
    put: async (uid, file, bytes, signal) => {
      const key = keyOf(uid, file)
      if (await create(key, bytes, signal)) return
      if (!(await isSame(key, bytes))) throw new OtherChunk(`There is another chunk ${file} of ${uid}`)
    },
    remove: (uid, files, signal) =>
      removeObjects(
        files.map((file) => keyOf(uid, file)),
        signal,
      ),
    removeAll: (chunks, signal) =>
      removeObjects(
        chunks.map(({ uid, file }) => keyOf(uid, file)),
        signal,
      ),
    // Objects can't be renamed, and one that belongs to no recording does no harm.
    moveToLostAndFound: async () => undefined,
    recordings: async () =>
      (await namesBelow(prefix)).filter((name) => recordingName.test(name) && name !== markerName),
    hours: async (uid) => (await namesBelow(keyOf(uid, ''))).filter(isHourFolder),
    names: (uid, hour) => namesBelow(keyOf(uid, `${hour}/`)),
    page: async (after, limit, signal) => {
      const input = { Bucket: bucket, Prefix: prefix, StartAfter: after, MaxKeys: limit }
      const { Contents = [], IsTruncated = false } = await withStorageErrors(() =>
        client.send(new ListObjectsV2Command(input), limitedBy(signal)),
      )
      const objects = Contents.flatMap(({ Key = '', Size = 0 }) => {
        const [, uid = '', start = ''] = chunkKey.exec(Key.slice(prefix.length)) ?? []
        return recordingName.test(uid) ? [{ uid, start: Number(start), bytes: Size }] : []
      })
      return { objects, next: IsTruncated ? Contents.at(-1)?.Key : undefined }
    },
    readMarker: async () => {
      const key = `${prefix}${markerName}`
      try {
        const input = { Bucket: bucket, Key: key, Range: `bytes=0-${maxMarkerBytes}` }
        return await withStorageErrors(async () => {
          const found = await client.send(new GetObjectCommand(input), limitedBy())
          if ((found.ContentLength ?? 0) > maxMarkerBytes) return undefined
          return parseJson(Marker, (await found.Body?.transformToString()) ?? '')?.volume
        })
      } catch (error) {
        return ignoring('ENOENT')(error)
      }
    },
    writeMarker: async (key) => {
      if (!(await create(`${prefix}${markerName}`, markerBytes(key))))
        throw new StorageAway('Another server has written its marker to the bucket')
    },
    close: () => {
      closing.abort()
      client.destroy()
    },
  }
}
