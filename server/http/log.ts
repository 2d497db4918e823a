import type { FastifyServerOptions } from 'fastify'
import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import type { LogLine } from '../../src/api/contract/stream.ts'
import { propertyOf } from '../property-of.ts'
import { StoreAway } from '../store/connection.ts'

/** The credentials of a URL. The lookbehind for `://` keeps the time linear in long texts. */
const inUrl = /(?<=[a-z0-9+.-]:\/\/)[^\s/"\\]+@/gi
export const secretNames =
  'user(?:name)?|usr|login|pass(?:w(?:or)?d)?|pwd|(?:access_)?token|auth|api_?key|key|secret|code'
export const beforeSecret = '[?&/;_]'
const inQuery = new RegExp(`(${beforeSecret}(?:${secretNames})=)(?:(?!_[a-z]+=)[^&?\\s#;"\\\\])+`, 'gi')

/** Masks credentials of URLs anywhere in a text: `rtsp://***@host/…`, `?token=***`. */
export const maskSecrets = (text: string): string => text.replace(inUrl, '***@').replace(inQuery, '$1***')

/** An id of a request, for the log and the error. Short, so that users can read it out; never from the client. */
export const newRequestId = (): string => randomUUID().slice(-12)

type LoggerOptions = Exclude<FastifyServerOptions['logger'], boolean | undefined>

const debugLevel = 20

/**
 * While the database is away, one line says so (store/database-log.ts): whatever fails for that, and is tried again, is
 * for `debug` only. What is given up for it has it as the cause of another error.
 */
const hooks: NonNullable<LoggerOptions['hooks']> = {
  logMethod(args, method, level) {
    const isOfAway = level > debugLevel && propertyOf(args[0], 'err') instanceof StoreAway
    Reflect.apply(isOfAway ? this.debug : method, this, args)
  },
}

/** Options of the logger: one JSON object per line, without secrets. `write` gets each line. */
export const loggerOptions = (level: string, write: (line: string) => void = (line) => process.stderr.write(line)) => ({
  level,
  base: null,
  hooks,
  redact: {
    paths: [
      'req.headers',
      'headers.cookie',
      'headers.authorization',
      'headers["share-token"]',
      '*.password',
      '*.token',
    ],
    censor: '***',
  },
  stream: { write: (line: string) => write(maskSecrets(line)) },
})

const levelNumbers: Readonly<Record<string, number>> = {
  trace: 10,
  debug: debugLevel,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
}
const levelNames = new Map(Object.entries(levelNumbers).map(([name, number]) => [number, name]))
const silent = Infinity
const keptLines = 2000
const maxMessageLength = 4000

const Line = z.looseObject({
  level: z.number(),
  time: z.number(),
  msg: z._default(z.string(), ''),
  err: z.optional(z.looseObject({ message: z.optional(z.string()) })),
})

const messageOf = ({ level: _level, time: _time, msg, err, ...rest }: z.output<typeof Line>): string => {
  const extras = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const reasons = [...(err?.message === undefined ? [] : [err.message]), ...extras]
  return (reasons.length === 0 ? msg : `${msg} (${reasons.join('; ')})`).slice(0, maxMessageLength)
}

export type ServerLog = {
  write: (line: string) => void
  read: (after: string | undefined) => LogLine[]
}

/** Keeps the newest 2000 lines; passes on those from `level` on. Ids grow across restarts: readers can resume. */
export const createServerLog = (
  level: string,
  startedAt: number,
  passOn: (line: string) => void = (line) => process.stderr.write(line),
): ServerLog => {
  const leastLevel = levelNumbers[level] ?? silent
  const lines: (LogLine & { number: number })[] = []
  let nextNumber = startedAt * 1000

  return {
    write: (line) => {
      const parsed = z.safeParse(Line, JSON.parse(line))
      if (!parsed.success) return
      if (parsed.data.level >= leastLevel) passOn(line)
      const number = nextNumber
      nextNumber += 1
      const { time } = parsed.data
      lines.push({
        number,
        id: String(number),
        time,
        level: levelNames.get(parsed.data.level) ?? 'info',
        message: messageOf(parsed.data),
      })
      if (lines.length > keptLines) lines.shift()
    },
    read: (after) => {
      const from = /^\d{1,16}$/.test(after ?? '') ? Number(after) : 0
      return lines.filter(({ number }) => number > from).map(({ number: _number, ...line }) => line)
    },
  }
}
