import type { Command, HostEvent } from './protocol.ts'

/** A way to an ingest host. */
export type HostLink = {
  send: (command: Command) => void
  /** Of a process of its own; `bytes` of memory that it took lately. */
  process?: () => { pid: number | undefined; bytes: number }
  /** Nothing is opened there any more. */
  close: () => void
}

export type HostListener = { onEvent: (event: HostEvent) => void; onEnd: () => void }

/** `onEnd`: the host has died by itself, and every event of it was given. */
export type Connect = (listener: HostListener) => HostLink

/** One stream of a host. */
export type StreamChannel = { stream: number; send: (command: Command) => void; leave: () => void }

export type IngestPool = {
  open: (uid: string, listener: HostListener) => StreamChannel
  /** How long to wait before a stream whose host has died is opened again. */
  pauseMs: (uid: string) => number
  /** Hosts in processes of their own, a spare one among them. */
  workers: () => WorkerFacts[]
  /** False from the moment that streams lose their host until a host records again, or none is tried any more. */
  isWell: () => boolean
}

export type WorkerFacts = { pid: number | undefined; bytes: number; streams: number }

type Member = HostListener & { uid: string }
type Host = { link: HostLink; members: Map<number, Member> }
type Deaths = { count: number; lastAt: number }

export type PoolOptions = {
  connect: Connect
  /** In one host; more get another one. */
  maxStreams?: number
  /** Keeps one host that is ready, so that the streams of one that dies lose less. */
  hasSpare?: boolean
  /** Milliseconds of a clock that is never set. */
  now?: () => number
}

/** A death longer ago is forgotten. */
const rememberedMs = 10 * 60_000
/** Any of the streams of a host that dies may be the one that kills it: they part, further with each death. */
const fewStreams = 4
const firstPauseMs = 1000
const maxPauseMs = 60_000

/** Spreads streams over ingest hosts, which are made as they are needed and closed when they are empty. */
export const createIngestPool = (options: PoolOptions): IngestPool => {
  const { connect, maxStreams = Infinity, hasSpare = false, now = () => performance.now() } = options
  const hosts = new Set<Host>()
  const deaths = new Map<string, Deaths>()
  let spare: Host | undefined
  let spareFrom = -Infinity
  let lastStream = 0
  let lostAt = -Infinity

  const deathsOf = (uid: string): number => {
    const known = deaths.get(uid)
    if (known !== undefined && now() - known.lastAt > rememberedMs) deaths.delete(uid)
    return deaths.get(uid)?.count ?? 0
  }
  const maxBeside = (uid: string): number => {
    const count = deathsOf(uid)
    if (count < 2) return maxStreams
    return count === 2 ? Math.min(fewStreams, maxStreams) : 1
  }
  /** Beside those alone that are as likely to take others along. */
  const fits = ({ members }: Host, uid: string): boolean => {
    const most = maxBeside(uid)
    return members.size < most && [...members.values()].every((member) => maxBeside(member.uid) === most)
  }

  const make = (): Host => {
    const members: Host['members'] = new Map()
    const host: Host = {
      members,
      link: connect({
        onEvent: (event) => {
          lostAt = -Infinity
          // Not sooner: it would delay the first cameras.
          if (hasSpare && hosts.has(host) && now() >= spareFrom) spare ??= make()
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
    return host
  }

  const start = (): Host => {
    const host = spare ?? make()
    spare = undefined
    hosts.add(host)
    return host
  }

  const close = (host: Host): void => {
    hosts.delete(host)
    host.link.close()
    if (hosts.size > 0) return
    spare?.link.close()
    spare = undefined
  }

  return {
    open: (uid, listener) => {
      const [idlest] = [...hosts].filter((host) => fits(host, uid)).toSorted((a, b) => a.members.size - b.members.size)
      const host = idlest ?? start()
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
    isWell: () => now() - lostAt > 2 * maxPauseMs,
    pauseMs: (uid) => {
      const count = deathsOf(uid)
      return count < 2 ? 0 : Math.min(maxPauseMs, firstPauseMs * 2 ** (count - 2))
    },
  }
}
