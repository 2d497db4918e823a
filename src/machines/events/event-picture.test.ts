import { expect, test } from 'vitest'
import { eventPictureKey, eventPictureOf } from './event-picture.ts'

const event = { streamId: 'gate 1', time: Date.UTC(2026, 10, 21, 8), type: 'event' }
const moment = { streamId: event.streamId, at: event.time }

test('an event with a snapshot is shown by it, others by the preview of their moment', () => {
  const shown = [
    { ...event, id: '7' },
    { ...event, hasSnapshot: true },
    { ...event, id: 'a 7', hasSnapshot: true },
  ].map((each) => eventPictureOf(eventPictureKey(each)))
  expect(shown).toEqual([
    { ...moment, snapshotOf: null },
    { ...moment, snapshotOf: null },
    { ...moment, snapshotOf: 'a 7' },
  ])
})

test('events of one moment have pictures of their own', () => {
  const keys = ['7', '8'].map((id) => eventPictureKey({ ...event, id, hasSnapshot: true }))
  expect(new Set(keys).size).toBe(2)
})
