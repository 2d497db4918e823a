import * as z from 'zod/mini'
import { Counts } from '../archive/format/chunk-file.ts'
import { TableSegment } from '../archive/format/chunk-table.ts'
import { failureReasons } from '../media/failures.ts'

/**
 * The messages between the server and an ingest host, as plain data that another process can receive. `stream` is the
 * number that the server gives a stream when it opens it; `requestId` pairs a request with its answer. What isn't
 * explained here is explained at its type: Init and Track in `server/media/init.ts`, Tracks in encoding.ts there, Run,
 * Segment and Chunk in `server/archive/format`, Part (LivePart) and RecorderEvent in `server/archive/recorder`.
 */
const stream = z.number()
const requestId = z.number()
const bytes = z.instanceof(Buffer)

const Track = z.object({
  id: z.number(),
  kind: z.enum(['video', 'audio']),
  timescale: z.number(),
  codec: z.string(),
  width: z.number(),
  height: z.number(),
  sampleAspect: z.number(),
  parameterSets: z.readonly(z.array(bytes)),
  editStart: z.number(),
})
const Init = z.object({ bytes, tracks: z.array(Track), video: Track })
const Run = z.object({
  id: z.number(),
  key: z.string(),
  init: Init,
  codecs: z.string(),
  width: z.number(),
  height: z.number(),
  hasSound: z.boolean(),
})

/** What a probe finds at a source. */
export const Tracks = z.object({
  format: z.string(),
  tracks: z.array(
    z.object({
      type: z.string(),
      codec: z.string(),
      width: z.optional(z.number()),
      height: z.optional(z.number()),
      fps: z.optional(z.number()),
      sampleRate: z.optional(z.number()),
      bitrate: z.optional(z.number()),
      profile: z.optional(z.string()),
    }),
  ),
  hasFarKeyframes: z.boolean(),
  offer: z.optional(z.string()),
  sound: z.optional(z.enum(['away', 'unusable'])),
})

const Segment = z.extend(TableSegment, { run: z.number(), volume: z.number(), file: z.string() })
const Part = z.object({
  number: z.number(),
  duration: z.number(),
  isIndependent: z.boolean(),
  offset: z.number(),
  bytes: z.number(),
})
const Chunk = z.object({
  start: z.number(),
  finish: z.number(),
  bytes: z.number(),
  table: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  volume: z.number(),
  counts: z.optional(Counts),
})

const RecorderEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('run'), run: Run }),
  z.object({ kind: z.literal('begun'), start: z.number(), run: z.number() }),
  z.object({ kind: z.literal('part'), start: z.number(), part: Part, arrivedAt: z.number() }),
  z.object({ kind: z.literal('whole'), start: z.number() }),
  z.object({ kind: z.literal('dropped'), start: z.number() }),
  z.object({
    kind: z.literal('segment'),
    segment: Segment,
    sequence: z.number(),
    discontinuity: z.number(),
    targetDuration: z.number(),
    arrivedAt: z.number(),
    isKept: z.boolean(),
  }),
  z.object({ kind: z.literal('sealed'), chunk: Chunk, run: Run }),
  z.object({ kind: z.literal('volumeFailed'), volume: z.number() }),
  z.object({ kind: z.literal('counts'), counts: Counts }),
  z.object({ kind: z.literal('cut'), bytes: z.number(), seconds: z.number() }),
  z.object({ kind: z.literal('setBack'), byMs: z.number(), until: z.number() }),
  z.object({ kind: z.literal('failure'), reason: z.string() }),
])

const AttemptResult = z.object({
  /** Why the attempt ended: as IngestEnd in `server/media/ingest.ts`. */
  end: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('stopped') }),
    z.object({ kind: z.literal('changed') }),
    z.object({ kind: z.literal('soundless') }),
    z.object({ kind: z.literal('failed'), reason: z.enum(failureReasons) }),
  ]),
  /** For how many milliseconds the source delivered video. */
  videoMs: z.number(),
  /** The source's tracks, so that the next attempt needs no probe. */
  tracks: z.optional(Tracks),
})
export type AttemptResult = z.output<typeof AttemptResult>

const AttemptRequest = z.object({
  uid: z.string(),
  /** The URL of the source, with its password. No other message has it. */
  source: z.string(),
  /** Whether the last attempt failed. */
  hasFailed: z.boolean(),
  /** Whether the newest run has sound. */
  hadSound: z.boolean(),
  allowLoopback: z.boolean(),
  tracks: z.optional(Tracks),
})
export type AttemptRequest = z.output<typeof AttemptRequest>

/** Where the next chunk goes; undefined while no volume accepts it. */
const target = z.optional(z.object({ volume: z.number(), folder: z.string(), marker: z.optional(z.string()) }))
export type MaybeTarget = z.output<typeof target>

const Opening = z.object({
  target,
  start: z.object({ recording: z.number(), counts: Counts, recordedUntil: z.number() }),
  isArchived: z.boolean(),
  partSeconds: z.number(),
})
export type Opening = z.output<typeof Opening>

export const Command = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open'), stream, opening: Opening }),
  z.object({ kind: z.literal('archive'), stream, isArchived: z.boolean() }),
  z.object({ kind: z.literal('target'), stream, target }),
  /** Connects and records until the source ends or `stop` comes; answered by `ended`. */
  z.object({ kind: z.literal('attempt'), stream, request: AttemptRequest }),
  z.object({ kind: z.literal('stop'), stream }),
  /** A segment by its start, or one of its parts by index, until it is written. Answered by `bytes`. */
  z.object({
    kind: z.literal('read'),
    stream,
    requestId,
    start: z.number(),
    part: z.optional(z.number()),
  }),
  /** The answer to `isRecorded`. */
  z.object({ kind: z.literal('isRecordedAnswer'), stream, requestId, isRecorded: z.boolean() }),
  /** Stops, writes what is complete, and drops the stream; answered by `closed`. */
  z.object({ kind: z.literal('close'), stream }),
])
export type Command = z.output<typeof Command>

const SoundState = z.enum(['away', 'unusable', 'recorded'])
export type SoundState = z.output<typeof SoundState>

export const HostEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('recorder'), stream, event: RecorderEvent, frameRate: z.optional(z.number()) }),
  /** ffmpeg has started; with the tracks that it records, unless it draws a demo scene. */
  z.object({ kind: z.literal('started'), stream, tracks: z.optional(Tracks) }),
  /**
   * The source delivers: its codec and size, and how each track is recorded, for the stream's log; with the tracks if
   * they were just probed, and what it offered meanwhile.
   */
  z.object({ kind: z.literal('connected'), stream, summary: z.string(), tracks: z.optional(Tracks) }),
  /** The sound of the source has stopped, can't be decoded, or has come; recording goes on. */
  z.object({ kind: z.literal('sound'), stream, sound: SoundState }),
  z.object({ kind: z.literal('ended'), stream, result: AttemptResult }),
  /** The answer to `read`, without `bytes` if the recorder doesn't have it. */
  z.object({ kind: z.literal('bytes'), stream, requestId, bytes: z.optional(bytes) }),
  /** Asks whether the index has recordings of a range. Answered by `isRecordedAnswer`. */
  z.object({ kind: z.literal('isRecorded'), stream, requestId, from: z.number(), to: z.number() }),
  z.object({ kind: z.literal('closed'), stream }),
])
export type HostEvent = z.output<typeof HostEvent>
