import { describe, expect, test, vi } from 'vitest'
import { createCameraEvents } from '../../../server/onvif/camera-events.ts'
import type { AnnotationBody } from '../../../src/api/contract/events.ts'
import { createOnvifControl, type Emitted } from '../../fixtures/onvif-control.ts'
import { patience } from '../../fixtures/patience.ts'
import { startControlled } from './controlled-camera.ts'

type Options = Parameters<typeof startControlled>[0]

const second = 1000
const motion = (isOn: boolean, more: Partial<Emitted> = {}): Emitted => ({
  topic: 'RuleEngine/CellMotionDetector/Motion',
  source: { VideoSourceConfigurationToken: 'C-V1', Rule: 'MyMotion' },
  data: { IsMotion: String(isOn) },
  ...more,
})
const alarm = (isOn: boolean): Emitted => ({
  topic: 'VideoSource/MotionAlarm',
  source: { Source: 'V1' },
  data: { State: String(isOn) },
})

/** A server whose camera has been subscribed to. */
const open = async (options: Options = {}) => {
  const controlled = await startControlled(options)
  const added: AnnotationBody[] = []
  controlled.site.eventListeners.push((drafts) => added.push(...drafts))
  const { control, ask, admin } = controlled
  const pulled = (count: number) =>
    control.until(({ calls }) => calls.filter((call) => call === 'PullMessages').length >= count)
  await pulled(1)
  const events = async (): Promise<{ label: string; time: number; timeEnd: number; source: string }[]> => {
    const { body } = await ask('GET', '/v1/events/search?streamId=c1', { cookie: admin })
    return Object(body).items.map(({ label, time, timeEnd = time, source }: Record<string, string>) => ({
      label,
      source,
      time: Date.parse(time ?? ''),
      timeEnd: Date.parse(timeEnd ?? ''),
    }))
  }
  const found = (isSo: (all: Awaited<ReturnType<typeof events>>) => boolean) =>
    vi.waitFor(async () => {
      const all = await events()
      if (!isSo(all)) throw new Error('not yet')
      return all
    }, patience)
  return { ...controlled, added, pulled, events, found }
}

test('motion becomes an event, which its end closes', async () => {
  const { control, found, added } = await open()
  const begun = Date.now() - 700
  control.emit(motion(true, { time: begun }))
  expect(await found((all) => all.length === 1)).toEqual([
    { label: 'motion', source: 'onvif', time: begun, timeEnd: begun },
  ])
  // The listeners hear of it after the database has it.
  await expect
    .poll(() => added, patience)
    .toEqual([{ streamId: 'c1', type: 'event', label: 'motion', source: 'onvif', time: begun }])
  control.emit(motion(false, { time: begun + 600 }))
  expect(await found(([one]) => one?.timeEnd !== begun)).toMatchObject([{ time: begun, timeEnd: begun + 600 }])
})

test('one motion by two topics is one event, and so is one that begins again at once', async () => {
  const { control, found, added, pulled } = await open()
  control.emit(alarm(true), motion(true), alarm(false))
  await pulled(2)
  control.emit(motion(true), motion(false))
  const [event] = await found(([one]) => one !== undefined && one.timeEnd > one.time)
  control.emit(alarm(true), alarm(false))
  await found(([one]) => (one?.timeEnd ?? 0) > (event?.timeEnd ?? 0))
  expect(added).toHaveLength(1)
})

test('an event after the clock was set back is one of its own', async () => {
  const added: number[] = []
  const { note } = createCameraEvents({
    uid: 'c1',
    add: async ({ time }) => added.push(time),
    end: async () => undefined,
  })
  const crossed = { label: 'line crossing', key: '', input: '', isInitial: false, time: undefined, sources: [] }
  for (const time of [600_000, 603_000, 60_000, 63_000]) await note({ ...crossed, isOn: undefined }, time)
  expect(added).toEqual([600_000, 60_000])
})

test('crossed lines, intrusions, inputs and sounds have labels of their own', async () => {
  const { control, found } = await open()
  control.emit(
    { topic: 'RuleEngine/LineDetector/Crossed', data: { ObjectId: '7' } },
    { topic: 'RuleEngine/FieldDetector/ObjectsInside', data: { IsInside: 'true' } },
    { topic: 'Device/Trigger/DigitalInput', source: { InputToken: '1' }, data: { LogicalState: '1' } },
    { topic: 'Device/Trigger/DigitalInput', source: { InputToken: '2' }, data: { LogicalState: 'true' } },
    { topic: 'AudioAnalytics/Audio/DetectedSound', data: { isSoundDetected: 'true' } },
    { topic: 'Device/HardwareFailure/FanFailure', data: { Failed: 'true' } },
  )
  const all = await found(({ length }) => length === 5)
  expect(all.map(({ label }) => label).toSorted()).toEqual([
    'digital input',
    'digital input',
    'intrusion',
    'line crossing',
    'sound',
  ])
})

test('a clock that is off doesn’t matter: the time is that of arrival', async () => {
  const clockAheadMs = -3600 * second
  const { control, found } = await open({ clockAheadMs, control: createOnvifControl({ clockAheadMs }) })
  const before = Date.now()
  control.emit(motion(true))
  const [event] = await found((all) => all.length === 1)
  expect(event?.time).toBeGreaterThanOrEqual(before - second)
  expect(event?.time).toBeLessThanOrEqual(Date.now())
})

const twoSources = ['V1', 'V2'].map((source, index) => ({
  token: `P${index + 1}`,
  encoding: 'H264',
  width: 640,
  height: 360,
  uri: 'rtsp://127.0.0.1/',
  source,
}))

test('the other video of the same device isn’t this stream’s', async () => {
  const { control, found } = await open({ profiles: twoSources, profile: 'P2' })
  control.emit(motion(true), { ...alarm(true), source: { Source: 'V2' } })
  const all = await found(({ length }) => length > 0)
  expect(all).toHaveLength(1)
  control.emit({ ...alarm(false), source: { Source: 'V2' } })
  await found(([one]) => (one?.timeEnd ?? 0) > (one?.time ?? 0))
})

test('a profile that a device with several videos doesn’t have is a failure', async () => {
  const { control, logged } = await startControlled({ profiles: twoSources, profile: 'P3' })
  expect(await logged(/ONVIF/)).toBe('ONVIF: The source has no video')
  expect(control.calls).toEqual([])
})

test('instead of a profile that a device with one video doesn’t have, its first one is taken', async () => {
  const source = '<VideoSourceConfiguration token="C-V1"><SourceToken>V1</SourceToken></VideoSourceConfiguration>'
  const profiles = `<Profiles token="P1">${source}</Profiles><Profiles token="P2">${source}</Profiles>`
  const answer =
    '<e:Envelope xmlns:e="e"><e:Body><GetProfilesResponse>' +
    `${profiles}<Profiles token="sound"/></GetProfilesResponse></e:Body></e:Envelope>`
  const { control, found } = await open({
    profile: 'P3',
    answer: (request) => (request === 'GetProfiles' ? answer : undefined),
  })
  control.emit(motion(true))
  expect(await found(({ length }) => length > 0)).toHaveLength(1)
})

describe('a camera that restarts', () => {
  test('is subscribed to again, and what it doesn’t confirm is over', async () => {
    const { control, found, added } = await open()
    control.emit(motion(true), { topic: 'AudioAnalytics/Audio/DetectedSound', data: { isSoundDetected: 'true' } })
    await found((all) => all.length === 2)
    control.restart()
    await control.until(({ calls }) => calls.filter((call) => call === 'CreatePullPointSubscription').length === 2)
    control.emit(motion(true, { operation: 'Initialized' }))
    control.emit({ ...motion(false), time: Date.now() })
    const all = await found((events) => events.some(({ label, time, timeEnd }) => label === 'motion' && timeEnd > time))
    expect([all.length, added.length]).toEqual([2, 2])
  })
})

test('a stream that is paused, changed or removed leaves its camera', async () => {
  const { control, site } = await open()
  await site.change('c1', (before) => ({ ...before, isPaused: true }))
  await control.until(({ calls }) => calls.includes('Unsubscribe'))
  await site.change('c1', (before) => ({ ...before, isPaused: false }))
  await control.until(({ calls }) => calls.filter((call) => call === 'CreatePullPointSubscription').length === 2)
  await site.remove('c1', false)
  await control.until(({ calls }) => calls.filter((call) => call === 'Unsubscribe').length === 2)
  expect(control.calls.filter((call) => call === 'PullMessages without its id')).toEqual([])
})

test('what hostile cameras send is bounded', async () => {
  const message = (source: string) =>
    `<NotificationMessage><Topic>Device/Trigger/DigitalInput</Topic><Message><Message><Source>${source}</Source>` +
    '<Data><SimpleItem Name="LogicalState" Value="true"/></Data></Message></Message></NotificationMessage>'
  const envelope = (content: string) =>
    `<e:Envelope xmlns:e="e" xmlns:tt="t"><e:Body><PullMessagesResponse>${content}</PullMessagesResponse></e:Body></e:Envelope>`
  const answers = [
    envelope(`<x>${'y'.repeat(200_000)}</x>`),
    '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>',
    envelope(
      Array.from({ length: 400 }, (_, index) => message(`<SimpleItem Name="InputToken" Value="${index}"/>`)).join(''),
    ),
  ]
  const { found } = await open({
    answer: (request) => (request === 'PullMessages' ? answers.shift() : undefined),
  })
  expect(await found(({ length }) => length > 0)).toHaveLength(20)
})
