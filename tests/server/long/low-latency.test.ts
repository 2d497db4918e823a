import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { newestOf, openStream } from '../fixtures/live-in-parts.ts'
import { decoded, logged, probed, segments, serve, tsCamera } from '../fixtures/video.ts'

test.each([
  ['a demo camera', () => Promise.resolve('demo:gate')],
  ['a camera with sound', async () => `${await serve(tsCamera())}/camera.ts`],
])('live of %s comes in parts over HTTP/2, and its segments are made of them', async (_name, source) => {
  const { video, uid, get, live } = await openStream(await source())
  const first = await live()
  const { canBlockReload, partHoldBack } = first.lowLatencyCompatibility ?? {}
  const target = first.partTargetDuration ?? 0
  expect(target).toBeLessThanOrEqual(0.5)
  expect(canBlockReload).toBe(true)
  expect(partHoldBack).toBeGreaterThanOrEqual(3 * target)

  const parts = new Map<string, { duration: number; bytes: Buffer }>()
  const wholes = new Map<string, string[]>()
  let { sequence, parts: made, hint } = newestOf(first)
  for (let turn = 0; turn < 12; turn += 1) {
    const [announced, media] = await Promise.all([get(hint), live(`?_HLS_msn=${sequence}&_HLS_part=${made.length}`)])
    expect([announced.status, announced.headers['content-type'], announced.headers['cache-control']]).toEqual([
      200,
      'video/mp4',
      'private, no-cache',
    ])
    const listed = media.segments.flatMap((segment) => segment.parts.filter((part) => !part.hint))
    const came = listed.find(({ uri }) => uri === hint)
    expect(came?.duration, hint).toBeGreaterThan(0)
    parts.set(hint, { duration: came?.duration ?? 0, bytes: announced.body })
    const begun = media.segments.filter(({ uri, parts: [part] }) => uri !== '' || part?.hint === false)
    expect(
      begun.filter(
        ({ programDateTime, parts: [part] }) =>
          programDateTime === undefined || (part !== undefined && part.independent !== true),
      ),
    ).toEqual([])
    for (const segment of begun) {
      if (segment.uri !== '')
        wholes.set(
          segment.uri,
          segment.parts.length === 0 ? (wholes.get(segment.uri) ?? []) : segment.parts.map(({ uri }) => uri),
        )
    }
    ;({ sequence, parts: made, hint } = newestOf(media))
  }

  const ofParts = [...wholes].filter(([, uris]) => uris.length > 1 && uris.every((uri) => parts.has(uri)))
  expect(ofParts.length).toBeGreaterThan(1)
  const init = (await get(first.segments[0]?.map?.uri ?? '')).body
  for (const [uri, uris] of ofParts) {
    const whole = (await get(uri)).body
    expect(Buffer.concat(uris.map((part) => parts.get(part)?.bytes ?? Buffer.of())).equals(whole), uri).toBe(true)
    for (const part of uris)
      expect((await get(part)).body.equals(parts.get(part)?.bytes ?? Buffer.of()), part).toBe(true)
    expect(decoded(Buffer.concat([init, whole]))).toBe('')
    expect(probed(Buffer.concat([init, whole])).packets).toBe(25)
  }
  const { startTime = 0 } = (await video.site.index.period(uid)) ?? {}
  const recorded = await video.site.index.within(uid, startTime, Date.now(), 1000)
  const uneven = recorded.filter(
    ({ start, duration }, position) =>
      Math.abs(duration - 1) > 0.05 || Math.abs((recorded[position + 1]?.start ?? start + 1000) - start - 1000) > 50,
  )
  expect(uneven).toEqual([])
})

test('a camera that comes back with another size goes on behind a cut, and what was announced before never comes', async () => {
  const kept: { response?: ServerResponse; isAway: boolean; size: string } = { isAway: false, size: '320x180' }
  const address = await serve((request, response) => {
    if (kept.isAway) response.writeHead(503).end()
    else tsCamera({ sound: false, size: kept.size })(request, response)
    kept.response = response
  })
  const { video, uid, get, live } = await openStream(`${address}/camera.ts`)
  const window = video.site.supervisor(uid)?.live
  const lost = logged(video.site, uid, /trying again/)
  kept.isAway = true
  kept.response?.destroy()
  await lost
  const before = await live()
  const { hint } = newestOf(before)
  const awaited = get(hint)
  Object.assign(kept, { isAway: false, size: '640x360' })
  await segments(video.site, uid, 2)
  expect((await awaited).status).toBe(404)

  const after = await live()
  const cut = after.segments.findLastIndex(({ discontinuity }) => discontinuity)
  const [old, fresh] = [after.segments[cut - 1], after.segments[cut]]
  expect([old?.map?.uri, fresh?.map?.uri === old?.map?.uri]).toEqual([
    before.segments.at(-1)?.map?.uri ?? old?.map?.uri,
    false,
  ])
  expect(after.segments.flatMap(({ parts }) => parts.map(({ uri }) => uri))).not.toContain(hint)
  expect((await get(hint)).status).toBe(404)
  const [init, [part]] = [
    await get(fresh?.map?.uri ?? ''),
    newestOf(after).parts.length > 0 ? newestOf(after).parts : (after.segments.at(-2)?.parts ?? []),
  ]
  expect(probed(Buffer.concat([init.body, (await get(part?.uri ?? '')).body]))).toMatchObject({
    width: 640,
    height: 360,
  })
  // The pictures of what is on disk are held no more.
  expect(window?.opened().length).toBeLessThan(3)
})
