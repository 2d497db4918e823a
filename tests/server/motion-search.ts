import * as z from 'zod/mini'
import { MotionAnswer } from '../../src/api/contract/motion.ts'
import { createMotionIndexer } from '../../server/motion/motion-index.ts'
import { t0 } from './motion-video.ts'
import { row } from './paused-stream.ts'
import { startVideo } from './video.ts'

const hourMs = 3_600_000
export const at = (seconds: number) => new Date(t0 + seconds * 1000).toISOString()
export const move = { from: 20, to: 26, x: 20, y: 20 }
export const corner = '0,0,0.5,0.5'
export const elsewhere = '0.5,0.5,0.5,0.5'
const Count = z.object({ count: z.number() })

/** A server with the stream `door`, its motion index and its search. */
export const openMotion = async (change: { depthHours?: number; substreamSource?: string } = {}) => {
  const clock = { now: t0 + hourMs }
  const video = await startVideo({ now: () => clock.now })
  const { site, ask, admin, context } = video
  await site.add({ ...row, source: 'rtsp://192.0.2.1/x', uid: 'door', name: 'Door', ...change })
  const index = async () => {
    const indexer = createMotionIndexer({ ...context, now: () => clock.now }, site, 0)
    await indexer.indexAll()
    await indexer.stop()
  }
  const search = async (query: string, cookie = admin) => {
    const answer = await ask('GET', `/v1/stream/door/archive/motion?from=${at(0)}&to=${at(60)}&${query}`, { cookie })
    return { status: answer.status, body: answer.body }
  }
  const found = async (query: string) => {
    const { body } = await search(query)
    const { items, coverage, indexedUntil, searchedUntil } = MotionAnswer.parse(body)
    const second = (moment: number) => (moment - t0) / 1000
    return {
      items: items.map(({ startTime, endTime, source }) => [second(startTime), second(endTime), source]),
      scores: items.map(({ score }) => score),
      coverage: coverage.map(({ startTime, endTime, source }) => [second(startTime), second(endTime), source]),
      indexedUntil: indexedUntil == null ? null : second(indexedUntil),
      searchedUntil: second(searchedUntil),
    }
  }
  const rows = async () => (await context.store.get(Count, 'SELECT count(*) AS count FROM motion'))?.count
  return { ...video, clock, index, search, found, rows }
}
