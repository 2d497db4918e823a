import { describe, expect, test } from 'vitest'
import { noAnswer, settingsOf, streamOf } from '../../../tests/fixtures/replies.ts'
import { hasHiddenCredentials } from './source-credentials.ts'
import { withFieldErrors } from './stream-form.ts'
import {
  streamBodyOf,
  suggestedName,
  newStreamValues,
  streamRules,
  type StreamValues,
  valuesOf,
  validateStream,
} from './stream-values.ts'

const stream = streamOf({
  uid: 'gate',
  name: 'Gate',
  streamSource: 'rtsp://***@cam:554/1',
  tags: ['north'],
  location: { name: 'Yard' },
  meta: { marker: '#e5484d' },
  archive: { isEnable: true, depthHours: 24 },
  live: { onDemand: true },
  node: { id: 'a', available: true },
})
const blank = newStreamValues(settingsOf())

test('a stream is unchanged by its form; the node is included only in a cluster', () => {
  const draft = {
    name: 'Gate',
    streamSource: 'rtsp://***@cam:554/1',
    tags: ['north'],
    location: { name: 'Yard' },
    meta: { marker: '#e5484d' },
    archive: { isEnable: true, depthHours: 24 },
    live: { onDemand: true },
  }
  expect(streamBodyOf(valuesOf(stream, settingsOf()))).toEqual(draft)
  expect(streamBodyOf(valuesOf(stream, settingsOf({ clusterEnabled: true })))).toEqual({ ...draft, node: { id: 'a' } })
})

test('a save sends the source as it was, while neither its address nor its login or password is changed', () => {
  const saved = valuesOf(
    { ...stream, streamSource: 'rtsp://a:p$s@h/1', substreamSource: 'rtsp://a:p$s@h/2' },
    settingsOf(),
  )
  expect(saved).toMatchObject({ streamSource: 'rtsp://h/1', login: 'a', password: 'p$s' })
  expect(streamBodyOf({ ...saved, name: 'Yard' }, saved)).toMatchObject({
    name: 'Yard',
    streamSource: 'rtsp://a:p$s@h/1',
    substreamSource: 'rtsp://a:p$s@h/2',
  })
  expect(streamBodyOf({ ...saved, password: '$' }, saved).streamSource).toBe('rtsp://a:%24@h/1')
  expect(streamRules.draft?.(saved, settingsOf(), saved)).not.toHaveProperty('originalSource')
  expect(streamRules.draft?.(saved, settingsOf(), saved)).not.toHaveProperty('originalSubstream')
})

test('a save sends a node only if another was chosen, as the one that records may have changed since', () => {
  const saved = valuesOf(stream, settingsOf({ clusterEnabled: true }))
  const nodeOf = (id: string) => streamBodyOf({ ...saved, 'node.id': id }, saved).node
  expect(['a', 'b', ''].map(nodeOf)).toEqual([undefined, { id: 'b' }, { id: '' }])
})

test('without recording a mistyped depth is not sent', () => {
  const saved = valuesOf(stream, settingsOf())
  const off = { ...saved, 'archive.isEnable': false, 'archive.depthHours': 'week' }
  expect(streamBodyOf(off, saved).archive).toEqual({ isEnable: false, depthHours: 24 })
})

test('a quota is sent in bytes only if it was changed, and removed by -1', () => {
  const withQuota = (quotaBytes?: number) =>
    valuesOf(streamOf({ archive: { isEnable: true, depthHours: 24, quotaBytes } }), settingsOf())
  const sent = (saved: StreamValues, typed: string, isEnable = true) =>
    streamBodyOf({ ...saved, 'archive.quotaBytes': typed, 'archive.isEnable': isEnable }, saved).archive
  const [without, having] = [withQuota(), withQuota(12_345_678_901)]
  expect([blank, without, withQuota(-1), having].map((values) => values['archive.quotaBytes'])).toEqual([
    '',
    '',
    '',
    '12.345678901',
  ])
  const rest = { isEnable: true, depthHours: 24 }
  expect([
    sent(without, ' '),
    sent(without, '50'),
    sent(without, '0,5'),
    sent(having, '12.345678901'),
    sent(having, ''),
    sent(having, 'all', false),
  ]).toEqual([
    rest,
    { ...rest, quotaBytes: 50e9 },
    { ...rest, quotaBytes: 5e8 },
    rest,
    { ...rest, quotaBytes: -1 },
    { ...rest, isEnable: false },
  ])
  expect(streamBodyOf({ ...blank, 'archive.quotaBytes': '50' }).archive?.quotaBytes).toBe(50e9)
})

test('a new stream is recorded for as long as the server allows', () => {
  const depths = [settingsOf(), settingsOf({ archiveMaxDepthHours: 72 })].map(
    (settings) => streamBodyOf(newStreamValues(settings)).archive,
  )
  expect(depths).toEqual([
    { isEnable: true, depthHours: -1 },
    { isEnable: true, depthHours: 72 },
  ])
})

test('a new stream is pinned to no node', () => {
  const values = newStreamValues(settingsOf({ clusterEnabled: true, nodeId: 'a' }))
  expect([values['node.id'], streamBodyOf(values).node]).toEqual(['', undefined])
})

test('a substream is sent only if there is one, or was', () => {
  const sub = 'rtsp://cam:554/2'
  const [without, having] = [
    valuesOf(stream, settingsOf()),
    valuesOf({ ...stream, substreamSource: sub }, settingsOf()),
  ]
  const substreamOf = (values: StreamValues, saved?: StreamValues) => streamBodyOf(values, saved).substreamSource
  expect([
    substreamOf(blank),
    substreamOf(without, without),
    substreamOf(having, having),
    substreamOf({ ...having, substreamSource: ' ' }, having),
  ]).toEqual([undefined, undefined, sub, ''])
})

test('an ONVIF address is sent with its profile only if there is one, or was', () => {
  const onvif = { url: 'http://cam/onvif', profile: 'a' }
  const [without, having] = [valuesOf(stream, settingsOf()), valuesOf({ ...stream, onvif }, settingsOf())]
  const onvifOf = (values: StreamValues, saved?: StreamValues) => streamBodyOf(values, saved).onvif
  expect([
    onvifOf(blank),
    onvifOf(without, without),
    onvifOf(having, having),
    onvifOf({ ...having, 'onvif.url': ' ' }, having),
  ]).toEqual([undefined, undefined, onvif, { url: '', profile: 'a' }])
})

test('the stored draft contains no password, and no URL that may contain one', () => {
  const typed = { login: 'ann', password: 'secret', substreamSource: 'rtsp://me:x@cam/2', streamSource: 'rtsp://cam/1' }
  expect(streamRules.draft?.({ ...typed, name: 'Gate' }, settingsOf(), blank)).toEqual({
    streamSource: 'rtsp://cam/1',
    name: 'Gate',
  })
  const inPath = { streamSource: 'rtsp://cam/user=a_password=x_channel=1.sdp', name: 'Gate' }
  expect(streamRules.draft?.(inPath, settingsOf(), blank)).toEqual({ name: 'Gate' })
})

describe('validation before anything is sent (docs/behaviour.md §6)', () => {
  const check = (changed: Partial<StreamValues>, saved = blank, maxHours = -1) =>
    validateStream(
      { ...blank, name: 'Gate', streamSource: 'rtsp://cam/1', ...changed },
      saved,
      settingsOf({ archiveMaxDepthHours: maxHours }),
    )

  test('name and source', () => {
    expect([
      check({}),
      check({ name: '  ' }),
      check({ name: 'x'.repeat(201) }),
      check({ streamSource: ' ' }),
      check({ streamSource: 'camera 1' }),
      check({ streamSource: '192.168.1.4/stream' }),
      check({ streamSource: 'demo:gate' }),
    ]).toEqual([
      {},
      { name: 'required' },
      { name: 'tooLong' },
      { streamSource: 'required' },
      { streamSource: 'sourceInvalid' },
      { streamSource: 'sourceInvalid' },
      {},
    ])
  })

  test('a long name that another program gave may stay', () => {
    const saved = valuesOf({ ...stream, name: 'x'.repeat(201) }, settingsOf())
    expect([check(saved, saved), check({ ...saved, name: 'y'.repeat(201) }, saved)]).toEqual([{}, { name: 'tooLong' }])
  })

  test('hidden credentials are accepted only for the same camera', () => {
    const saved = valuesOf(stream, settingsOf())
    expect([
      check({ streamSource: 'rtsp://***@cam:554/2' }, saved),
      check({ streamSource: 'rtsp://***@other:554/1' }, saved),
      check({ streamSource: 'http://***@cam:554/1' }, saved),
      check({ streamSource: 'rtsp://me:secret@other/1' }, saved),
      check({ streamSource: 'rtsp://***@cam/1' }),
    ]).toEqual([
      {},
      { streamSource: 'credentialsHidden' },
      { streamSource: 'credentialsHidden' },
      {},
      { streamSource: 'credentialsHidden' },
    ])
  })

  test('a substream is checked as the source is; typed credentials replace hidden ones', () => {
    const saved = valuesOf({ ...stream, substreamSource: 'rtsp://***@cam:554/2' }, settingsOf())
    expect([
      check({ substreamSource: 'camera 2' }),
      check({ substreamSource: 'rtsp://cam/2' }),
      check({ substreamSource: 'rtsp://***@cam:554/3' }, saved),
      check({ substreamSource: 'rtsp://***@other/2' }, saved),
      check({ substreamSource: 'rtsp://***@other/2', login: 'ann', password: 'x' }, saved),
    ]).toEqual([{ substreamSource: 'sourceInvalid' }, {}, {}, { substreamSource: 'credentialsHidden' }, {}])
  })

  test("the archive depth within the server's limit, unless it is unchanged", () => {
    const saved = { ...blank, 'archive.depthHours': '' }
    expect([
      check({ 'archive.depthHours': '0.5' }),
      check({ 'archive.depthHours': '0' }),
      check({ 'archive.depthHours': 'week' }),
      check({ 'archive.depthHours': '73' }, saved, 72),
      check({ 'archive.depthHours': '72' }, saved, 72),
      check({ 'archive.depthHours': '' }, { ...saved, 'archive.depthHours': '24' }, 72),
      check({ 'archive.depthHours': '' }, saved, 72),
      check({ 'archive.depthHours': 'week', 'archive.isEnable': false }),
    ]).toEqual([
      {},
      { 'archive.depthHours': 'depthInvalid' },
      { 'archive.depthHours': 'depthInvalid' },
      { 'archive.depthHours': 'depthTooLong' },
      {},
      { 'archive.depthHours': 'depthTooLong' },
      {},
      {},
    ])
  })

  test('the quota is above 0, and in GB, unless it is unchanged', () => {
    const quota = (text: string, isEnable = true) =>
      check({ 'archive.quotaBytes': text, 'archive.isEnable': isEnable }, { ...blank, 'archive.quotaBytes': '0' })
    expect([' ', '50', '0,5', '0', '50 000', '-3', '0.0', 'all', '50000000000'].map((text) => quota(text))).toEqual([
      {},
      {},
      {},
      {},
      { 'archive.quotaBytes': 'quotaInvalid' },
      { 'archive.quotaBytes': 'quotaInvalid' },
      { 'archive.quotaBytes': 'quotaInvalid' },
      { 'archive.quotaBytes': 'quotaInvalid' },
      { 'archive.quotaBytes': 'quotaTooLarge' },
    ])
    expect(quota('-3', false)).toEqual({})
  })
})

test("the server's error of a part is shown beside its field", () => {
  const apiError = {
    ...noAnswer,
    status: 400,
    code: 'ValidationError',
    details: { 'tags.3': 'long', archive: 'bad', 'location.name': 'x', other: 'y' },
  }
  expect(withFieldErrors({ ok: false, apiError })).toEqual({
    ok: false,
    apiError: { ...apiError, details: { tags: 'long', 'archive.isEnable': 'bad', 'location.name': 'x', other: 'y' } },
  })
})

test('hidden credentials are recognized, and a name is suggested from a URL', () => {
  expect(
    ['rtsp://***@cam/1', 'rtsp://user:***@cam/1', 'rtsp://cam/***', 'rtsp://u:p@cam/***@'].map(hasHiddenCredentials),
  ).toEqual([true, true, false, false])
  expect(
    ['rtsp://u:p@cam.example:554/live/gate.sdp?x=1', 'http://10.0.0.4/mjpeg', 'demo:yard', 'cam'].map(suggestedName),
  ).toEqual(['gate', '10.0.0.4', 'yard', ''])
})
