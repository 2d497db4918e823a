import { monotonicNow } from '../monotonic.ts'
import type { Command, HostEvent } from './protocol.ts'

/** A connection to an ingest host, in this process or in a worker. */
export type HostLink = {
  send: (command: Command) => void
  /** Only for a host in a worker. `bytes`: the memory that the process takes. */
  process?: () => { pid: number | undefined; bytes: number }
  /** Only for a host in a worker: one in this process has the corrected clock. */
  setClockAhead?: (aheadMs: number) => void
  /** Ends the host; called once it has no streams. */
  close: () => void
}

export type HostListener = { onEvent: (event: HostEvent) => void; onEnd: () => void }

/** Starts a host. `onEnd`: it has died by itself; all of its events were delivered before. */
export type Connect = (listener: HostListener) => HostLink

/** One stream of a host. `stream`: its number in messages. `leave`: removes the stream from the host. */
export type StreamChannel = { stream: number; send: (command: Command) => void; leave: () => void }

export type IngestPool = {
  open: (uid: string, listener: HostListener) => StreamChannel
  /** How long to wait before a stream whose host has died is opened again. */
  pauseMs: (uid: string) => number
  /** Hosts in workers, with the spare one. */
  workers: () => WorkerFacts[]
  /** False after a host died with streams, until a host reports anything, for two minutes at most. */
  isWell: () => boolean
  /** How far this machine's clock is ahead of the cluster's: the hosts subtract it from times of arrival. */
  setClockAhead: (aheadMs: number) => void
  /** Closes the spare host if no stream is on any host. */
  closeIdle: () => void
}

export type WorkerFacts = { pid: number | undefined; bytes: number; streams: number }

type Member = HostListener & { uid: string }
type Host = { link: HostLink; members: Map<number, Member> }
/** The deaths of hosts that a stream was on. */
type Deaths = { count: number; lastAt: number }

export type PoolOptions = {
  connect: Connect
  /** The most streams of one host. */
  maxStreams?: number
  /** Keeps one host ready, so that the first streams, and those of a host that has died, are recorded sooner. */
  hasSpare?: boolean
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

/** How long a death of a host counts. */
const rememberedMs = 10 * 60_000
/**
 * Any stream of a host that dies may be the one that kills it. After two deaths a stream shares a host with a few
 * others, after three it has one to itself.
 */
const fewStreams = 4
const firstPauseMs = 1000
const maxPauseMs = 60_000

/** Spreads streams over ingest hosts, which are started as they are needed and closed when they are empty. */
export const createIngestPool = (options: PoolOptions): IngestPool => {
  const { connect, maxStreams = Infinity, hasSpare = false, now = monotonicNow } = options
  const hosts = new Set<Host>()
  const deaths = new Map<string, Deaths>()
  let spare: Host | undefined
  /** No spare host is started before this, after one has died. */
  let spareFrom = -Infinity
  let lastStream = 0
  let lostAt = -Infinity
  let clockAheadMs = 0

  const deathsOf = (uid: string): number => {
    const known = deaths.get(uid)
    if (known !== undefined && now() - known.lastAt > rememberedMs) deaths.delete(uid)
    return deaths.get(uid)?.count ?? 0
  }
  const maxStreamsWith = (uid: string): number => {
    const count = deathsOf(uid)
    if (count < 2) return maxStreams
    return count === 2 ? Math.min(fewStreams, maxStreams) : 1
  }
  /** Only streams with the same limit share a host. */
  const fits = ({ members }: Host, uid: string): boolean => {
    const most = maxStreamsWith(uid)
    return members.size < most && [...members.values()].every((member) => maxStreamsWith(member.uid) === most)
  }

  const startHost = (): Host => {
    const members: Host['members'] = new Map()
    const host: Host = {
      members,
      link: connect({
        onEvent: (event) => {
          lostAt = -Infinity
          // Starting the spare host before a host reports would delay the first cameras.
          if (hasSpare && hosts.has(host) && now() >= spareFrom) spare ??= startHost()
          members.get(event.stream)?.onEvent(event)
        },
        onEnd: () => {
          hosts.delete(host)
          if (spare === host) {
            spare = undefined
            spareFrom = now() + maxPauseMs
          }
          const lost = [...members.values()]
          members.clear()
          if (lost.length > 0) lostAt = now()
          for (const { uid } of lost) deaths.set(uid, { count: deathsOf(uid) + 1, lastAt: now() })
          for (const { onEnd } of lost) onEnd()
        },
      }),
    }
    if (clockAheadMs !== 0) host.link.setClockAhead?.(clockAheadMs)
    return host
  }

  const nextHost = (): Host => {
    const host = spare ?? startHost()
    spare = undefined
    hosts.add(host)
    return host
  }

  const closeIdle = (): void => {
    if (hosts.size > 0) return
    spare?.link.close()
    spare = undefined
  }

  const close = (host: Host): void => {
    hosts.delete(host)
    host.link.close()
    closeIdle()
  }

  if (hasSpare) spare = startHost()

  return {
    open: (uid, listener) => {
      const [idlest] = [...hosts].filter((host) => fits(host, uid)).toSorted((a, b) => a.members.size - b.members.size)
      const host = idlest ?? nextHost()
      lastStream += 1
      const stream = lastStream
      host.members.set(stream, { ...listener, uid })
      return {
        stream,
        send: (command) => {
          if (host.members.has(stream)) host.link.send(command)
        },
        leave: () => {
          if (host.members.delete(stream) && host.members.size === 0) close(host)
        },
      }
    },
    workers: () =>
      [...hosts, ...(spare === undefined ? [] : [spare])].flatMap(({ link, members }) =>
        link.process === undefined ? [] : [{ ...link.process(), streams: members.size }],
      ),
    setClockAhead: (aheadMs) => {
      clockAheadMs = aheadMs
      for (const { link } of [...hosts, ...(spare === undefined ? [] : [spare])]) link.setClockAhead?.(aheadMs)
    },
    closeIdle,
    isWell: () => now() - lostAt > 2 * maxPauseMs,
    pauseMs: (uid) => {
      const count = deathsOf(uid)
      return count < 2 ? 0 : Math.min(maxPauseMs, firstPauseMs * 2 ** (count - 2))
    },
  }
}
