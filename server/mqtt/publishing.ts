import * as z from 'zod/mini'
import { AnnotationBody } from '../../src/api/contract/events.ts'
import type { SiteSnapshot } from '../alerts/happenings.ts'
import type { Message } from './broker.ts'

/** A stream as the site knows it now. */
type StreamState = { uid: string; name: string; status: string; failureReason: string }

export type Publishing = {
  /** Publishes that this server is online. */
  greet: () => void
  /** Publishes what has changed since the last call; all of it after `republish`. */
  update: (streams: readonly StreamState[], failing: SiteSnapshot['failing']) => void
  addEvent: (event: AnnotationBody, streamName: string) => void
  /** After a connection: the broker may have lost what it retained. */
  republish: () => void
  /** After another node has published the states: all of them are published again, with times that count from now. */
  takeOver: () => void
  /** The broker retains a message of this topic, or none if the payload is empty. */
  noteRetained: (topic: string, payload: string) => void
}

/** `nodeId`: of one of several servers, which have a status each. */
export const topicsOf = (root: string, nodeId: string | undefined) => ({
  server: nodeId === undefined ? `${root}/status` : `${root}/status/${nodeId}`,
  faults: `${root}/faults`,
  stream: (uid: string) => `${root}/stream/${encodeURIComponent(uid)}/status`,
  event: (uid: string) => `${root}/stream/${encodeURIComponent(uid)}/event`,
  allStreams: `${root}/stream/+/status`,
  test: `${root}/test`,
})

/**
 * Messages to an MQTT broker: what each stream and the server are doing, retained, so that a subscriber knows at once;
 * and what detectors find, once each.
 */
export const createPublishing = (
  topics: ReturnType<typeof topicsOf>,
  publish: (message: Message) => void,
  now: () => number,
): Publishing => {
  /** What was published last to each topic, and since when that holds (epoch milliseconds). */
  const states = new Map<string, { content: string; since: number }>()
  /** By topic; undefined: the broker retains something, perhaps of another node, or of a connection before. */
  const published = new Map<string, string | undefined>()

  const retain = (topic: string, payload: string): void => {
    if (published.get(topic) === payload) return
    if (payload === '') published.delete(topic)
    else published.set(topic, payload)
    publish({ topic, payload, isRetained: true })
  }

  const sinceOf = (topic: string, content: string): number => {
    const known = states.get(topic)
    const since = known?.content === content ? known.since : now()
    states.set(topic, { content, since })
    return since
  }

  const republish = (): void => {
    for (const topic of published.keys()) published.set(topic, undefined)
  }

  return {
    greet: () => retain(topics.server, 'online'),
    update: (streams, failing) => {
      const current = new Set<string>()
      for (const { uid, name, status, failureReason } of streams) {
        const topic = topics.stream(uid)
        current.add(topic)
        const time = new Date(sinceOf(topic, `${status} ${failureReason}`)).toISOString()
        retain(topic, JSON.stringify({ streamId: uid, name, status, failureReason, time }))
      }
      const items = [...failing.values()]
        .filter(({ on }) => on !== 'stream.failed')
        .map(({ subject, on, reason, time }) => ({ subject, on, reason, time: new Date(time).toISOString() }))
      current.add(topics.faults)
      retain(topics.faults, JSON.stringify({ items }))
      for (const topic of [...published.keys()].filter((each) => each !== topics.server && !current.has(each))) {
        retain(topic, '')
        states.delete(topic)
      }
    },
    addEvent: (event, streamName) => {
      const payload = JSON.stringify({ ...z.encode(AnnotationBody, event), name: streamName })
      publish({ topic: topics.event(event.streamId), payload, isRetained: false })
    },
    republish,
    takeOver: () => {
      states.clear()
      republish()
    },
    noteRetained: (topic, payload) => {
      if (payload !== '') published.set(topic, published.get(topic))
      else if (published.get(topic) === undefined) published.delete(topic)
    },
  }
}
