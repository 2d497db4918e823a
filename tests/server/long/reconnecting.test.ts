import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { create } from '../fixtures/recordings.ts'
import { startRtspCamera } from '../fixtures/rtsp-camera.ts'
import { logged, segments, startVideo } from '../fixtures/video.ts'

test('a good camera that drops is asked again at once, and one that restarts is recorded again, without a probe', async () => {
  const camera = await startRtspCamera()
  const video = await startVideo()
  const uid = await create(video, `rtsp://127.0.0.1:${camera.port}/live`)
  // More than ten seconds of video.
  await segments(video.site, uid, 13)
  const lines = async () => (await video.site.logs.read(uid, undefined)).map(({ message }) => message)
  const played = () => camera.asked.filter((line) => line.startsWith('PLAY ')).length
  const playedBefore = played()
  camera.drop()
  expect(await logged(video.site, uid, /trying again/)).toBe('The connection was lost; trying again in 0.1 s')
  // The first may be the last of the connection before.
  await segments(video.site, uid, 2)
  camera.leave()
  await logged(video.site, uid, /^The camera doesn't answer; trying again in/)
  await camera.comeBack()
  await segments(video.site, uid, 2)
  const connected = (await lines()).filter((line) => line.startsWith('Connected: '))
  expect([connected.length, played() - playedBefore]).toEqual([3, 2])
  expect(video.site.supervisor(uid)?.status()).toEqual({ status: 'running', failureReason: '' })
})

test('a good camera that ends each new connection while it restarts is recorded again, without a probe', async () => {
  const state = { isStarting: false }
  const camera = await startRtspCamera((_method, _sequence, socket) => {
    if (state.isStarting) socket.resetAndDestroy()
    return undefined
  })
  const video = await startVideo()
  const uid = await create(video, `rtsp://127.0.0.1:${camera.port}/live`)
  // More than ten seconds of video.
  await segments(video.site, uid, 13)
  const described = () => camera.asked.filter((line) => line.startsWith('DESCRIBE ')).length
  const describedBefore = described()
  state.isStarting = true
  camera.drop()
  await logged(video.site, uid, /^The camera doesn't answer; trying again in/)
  state.isStarting = false
  // The first may be the last of the connection before.
  await segments(video.site, uid, 2)
  expect(described() - describedBefore).toBe(1)
})

test('a server that starts again records a camera without a probe', async () => {
  const camera = await startRtspCamera()
  const dataDir = mkdtempSync(join(tmpdir(), 'sightline-known-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const first = await startVideo({ dataDir })
  const uid = await create(first, `rtsp://127.0.0.1:${camera.port}/live`)
  await segments(first.site, uid, 2)
  await first.app.close()
  const askedBefore = camera.asked.length
  const second = await startVideo({ dataDir, addsAdmin: false, signsIn: false })
  await segments(second.site, uid, 2)
  expect(camera.asked.slice(askedBefore).filter((line) => line.startsWith('DESCRIBE ')).length).toBe(1)
})

test('a camera that rejects its password says so in words, and is not asked again soon', async () => {
  const camera = await startRtspCamera(
    (_method, sequence) => `RTSP/1.0 401 No\r\nCSeq: ${sequence}\r\nWWW-Authenticate: Basic realm="a"\r\n\r\n`,
  )
  const video = await startVideo()
  const uid = await create(video, `rtsp://a:b@127.0.0.1:${camera.port}/live`)
  expect(await logged(video.site, uid, /trying again/)).toMatch(
    /^The camera doesn't accept the login and password; trying again in (?:[789]|1[0123])(?:\.\d)? s$/,
  )
})
