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
import { parseJson } from '../parse-json.ts'
import { createShared, createSlots } from '../media/slots.ts'
import { asStorageError, isTaken, NoObject } from './bucket-errors.ts'
import { readBucketUrl } from './bucket-url.ts'
import { OtherChunk, StorageAway, type ChunkStorage } from './chunk-storage.ts'
import { isHourFolder, unless } from './folders.ts'
import { Marker, markerBytes, markerName } from './volume-files.ts'

export type Bucket = ChunkStorage & {
  /** The key of the volume; undefined without a marker. */
  readMarker: () => Promise<string | undefined>
  writeMarker: (key: string) => Promise<void>
  close: () => void
}

/** A request that isn't answered for this long fails; the SDK tries three times. */
const requestMs = 5000
const connectMs = 3000
/** The same for a whole chunk, which may go a long way. */
const putMs = 120_000
/** A read ends by then, whatever the SDK tries. */
const readMs = 10_000
const reads = { size: 32, waiting: 512, waitingEach: 64 }
const deletedAtOnce = 1000
const readTries = 2
const maxMarker = 1024
/** Others may write to the bucket, too: no name from it leads out of a folder. */
const recordingName = /^[\w-][\w.-]{0,200}$/

const given = (signal?: AbortSignal): AbortSignal[] => (signal === undefined ? [] : [signal])
const sumOf = (bytes: Buffer): string => hash('sha256', bytes, 'hex')

/** Chunks as objects of a bucket: `prefix/recording/hour/start.mp4`. */
export const openBucket = (address: string): Bucket => {
  const { bucket, prefix, endpoint, region, forcePathStyle } = readBucketUrl(address)
  const client = new S3Client({
    forcePathStyle,
    ...(endpoint === undefined ? {} : { endpoint, region: region ?? 'us-east-1' }),
    ...(region === undefined ? {} : { region }),
    // Other stores than Amazon's refuse its own trailers.
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
  const until = (...signals: readonly AbortSignal[]) => ({
    abortSignal: AbortSignal.any([closing.signal, ...signals]),
  })
  const shared = createShared<Buffer>(createSlots(reads))

  const keyOf = (uid: string, file: string): string => `${prefix}${basename(uid)}/${file}`
  const ask = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw asStorageError(error)
    }
  }

  /** Exactly these bytes of an object. */
  const getOnce = async (key: string, offset: number, bytes: number, signal: AbortSignal): Promise<Buffer> => {
    const wanted = { Bucket: bucket, Key: key, Range: `bytes=${offset}-${offset + bytes - 1}` }
    const { Body, ContentLength } = await client.send(new GetObjectCommand(wanted), until(signal))
    const isWhole = Body !== undefined && ContentLength === bytes
    const found = isWhole ? Buffer.from(await Body.transformToByteArray()) : undefined
    if (found?.length !== bytes) throw new StorageAway('The bucket sent less than it was asked for')
    return found
  }

  const get = async (key: string, offset: number, bytes: number, signal: AbortSignal): Promise<Buffer> => {
    const ending = AbortSignal.any([signal, AbortSignal.timeout(readMs)])
    for (let tries = 1; ; tries += 1) {
      try {
        return await ask(() => getOnce(key, offset, bytes, ending))
      } catch (error) {
        // A body that breaks off isn't among what the SDK repeats.
        if (ending.aborted || tries === readTries || !(error instanceof StorageAway)) throw error
      }
    }
  }

  const head = async (key: string): Promise<{ size: number; sha256: string | undefined } | undefined> => {
    try {
      const found = await ask(() => client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }), until()))
      return { size: found.ContentLength ?? 0, sha256: found.Metadata?.['sha256'] }
    } catch (error) {
      return unless('ENOENT')(error)
    }
  }

  /** Writes an object that isn't there yet. False if there is one. */
  const create = async (key: string, bytes: Buffer, signal?: AbortSignal): Promise<boolean> => {
    try {
      await client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: key,
          Body: bytes,
          ContentLength: bytes.length,
          ContentMD5: hash('md5', bytes, 'base64'),
          Metadata: { sha256: sumOf(bytes) },
          IfNoneMatch: '*',
        }),
        { requestTimeout: putMs, ...until(...given(signal)) },
      )
      return true
    } catch (error) {
      if (isTaken(error)) return false
      throw asStorageError(error)
    }
  }

  const isSame = async (key: string, bytes: Buffer): Promise<boolean> => {
    const found = await head(key)
    if (found?.size !== bytes.length) return false
    if (found.sha256 !== undefined) return found.sha256 === sumOf(bytes)
    return bytes.equals(await get(key, 0, bytes.length, new AbortController().signal))
  }

  /** The names below a prefix, up to the next slash. */
  const namesBelow = async (below: string): Promise<string[]> => {
    const found: string[] = []
    let token: string | undefined
    do {
      const asked = { Bucket: bucket, Prefix: below, Delimiter: '/', ContinuationToken: token }
      const page = await ask(() => client.send(new ListObjectsV2Command(asked), until()))
      for (const { Prefix = '' } of page.CommonPrefixes ?? []) found.push(basename(Prefix))
      for (const { Key = '' } of page.Contents ?? []) if (Key !== below) found.push(basename(Key))
      token = page.NextContinuationToken
    } while (token !== undefined)
    return found
  }

  const sizeOf: Bucket['sizeOf'] = async (uid, file) => (await head(keyOf(uid, file)))?.size

  return {
    read: (uid, file, { offset, bytes }, signal) => {
      const key = keyOf(uid, file)
      return shared(`${key} ${offset} ${bytes}`, { caller: uid, signal }, (until) => get(key, offset, bytes, until))
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
    remove: async (uid, files, signal) => {
      for (let from = 0; from < files.length; from += deletedAtOnce) {
        const Objects = files.slice(from, from + deletedAtOnce).map((file) => ({ Key: keyOf(uid, file) }))
        const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } })
        const { Errors = [] } = await ask(() => client.send(command, until(...given(signal))))
        const [first] = Errors.filter(({ Code }) => Code !== 'NoSuchKey')
        if (first !== undefined) throw new StorageAway(`Not removed: ${first.Code ?? ''} ${first.Message ?? ''}`)
      }
    },
    // An object can't be renamed, and doesn't need to be.
    setAside: async () => undefined,
    recordings: async () =>
      (await namesBelow(prefix)).filter((name) => recordingName.test(name) && name !== markerName),
    hours: async (uid) => (await namesBelow(keyOf(uid, ''))).filter(isHourFolder),
    names: (uid, hour) => namesBelow(keyOf(uid, `${hour}/`)),
    readMarker: async () => {
      const key = `${prefix}${markerName}`
      try {
        const wanted = { Bucket: bucket, Key: key, Range: `bytes=0-${maxMarker}` }
        const found = await ask(() => client.send(new GetObjectCommand(wanted), until()))
        if ((found.ContentLength ?? 0) > maxMarker) return undefined
        return parseJson(Marker, (await found.Body?.transformToString()) ?? '')?.volume
      } catch (error) {
        return unless('ENOENT')(error)
      }
    },
    writeMarker: async (key) => {
      if (!(await create(`${prefix}${markerName}`, markerBytes(key))))
        throw new StorageAway('Another server takes the bucket')
    },
    close: () => {
      closing.abort()
      client.destroy()
    },
  }
}
