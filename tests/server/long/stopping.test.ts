import { once } from 'node:events'
import { globSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { portOf } from '../../../server/start.ts'
import { row } from '../fixtures/paused-stream.ts'
import { add, newFolder, record, t0, uid } from '../fixtures/tape.ts'
import { segments, startVideo } from '../fixtures/video.ts'

const seconds = 1800
const range = `start_time=${new Date(t0).toISOString()}&end_time=${new Date(t0 + seconds * 1000).toISOString()}`

/** A download that is larger than what sockets hold, begun and not read. */
const withDownload = async (graceMs: number) => {
  const dataDir = newFolder()
  const video = await startVideo({ dataDir, graceMs })
  await video.site.untilRepaired()
  await add(video)
  await record(video, 0, seconds)
  await video.app.listen({ host: '127.0.0.1', port: 0 })
  const port = portOf(video.app)
  const ask = (path: string): Socket => {
    const socket = connect(port, '127.0.0.1')
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncookie: ${video.admin}\r\n\r\n`)
    return socket
  }
  const download = ask(`/v1/stream/${uid}/archive/download?${range}`)
  const [head] = await once(download, 'data')
  download.pause()
  const length = Number(/content-length: (\d+)/.exec(head.toString('latin1'))?.[1])
  const begun = head.length - head.indexOf('\r\n\r\n') - 4
  return { ...video, dataDir, ask, download, begun, length }
}

test('a download under way is finished when the server stops, nothing new is begun, and recording is sealed', async () => {
  const { app, site, dataDir, ask, download, begun, length } = await withDownload(60_000)
  await site.add({ ...row, uid: 'live', name: 'live', source: 'demo:gate', isPaused: false })
  await segments(site, 'live', 2)
  expect(globSync(`${dataDir}/archive/live/*.spool`)).toHaveLength(1)
  const order: string[] = []
  const closed = app.close().then(() => order.push('closed'))
  const refused = await buffer(ask('/v1/system/health'))
  expect(refused.toString().split('\r\n')[0]).toBe('HTTP/1.1 503 Service Unavailable')
  order.push('refused')
  const rest = await buffer(download)
  order.push('read')
  await closed
  expect(order).toEqual(['refused', 'read', 'closed'])
  expect(begun + rest.length).toBe(length)
  expect(globSync(`${dataDir}/archive/live/*.spool`)).toEqual([])
  expect(globSync(`${dataDir}/archive/live/*/*.mp4`)).toHaveLength(1)
})

test('a download that nobody reads holds the end no longer than its grace', async () => {
  const { app, download, begun, length } = await withDownload(100)
  download.on('error', () => undefined)
  await app.close()
  const rest = await buffer(download).catch(() => Buffer.alloc(0))
  expect(begun + rest.length).toBeLessThan(length)
})
