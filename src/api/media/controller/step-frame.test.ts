import { expect, test } from 'vitest'
import { createFrameTable } from '../frames/frame-table.ts'
import { stepFrame } from './step-frame.ts'

const interval = 0.04

/**
 * A paused video with a frame every 40 ms from 0 to 10 s. `reported`: the time that the browser reports of the frame at
 * a time.
 */
const pausedAt = (currentTime: number, reported: (time: number) => number) => {
  const video = { currentTime }
  const table = createFrameTable()
  const frames = {
    table,
    mediaTime: () => table.at(video.currentTime) ?? reported(video.currentTime),
    soughtFrame: () => null,
    interval: () => interval,
    next: () => Promise.resolve(),
  }
  const step = async (direction: 1 | -1) => {
    const outcome = await stepFrame(video, frames, direction, { start: 0, end: 10 })
    return [outcome, Math.floor(video.currentTime / interval + 0.01)]
  }
  return { table, step }
}

const startOfFrame = (time: number): number => Math.floor(time / interval + 1e-6) * interval
const soughtTime = (time: number): number => time

test.each([
  ['reports the frame', startOfFrame],
  ['reports the time that was sought', soughtTime],
])('steps one frame each way without a table, where the browser %s', async (_, reported) => {
  const { step } = pausedAt(100 * interval, reported)
  expect([await step(1), await step(1), await step(-1), await step(-1), await step(-1)]).toEqual([
    ['moved', 101],
    ['moved', 102],
    ['moved', 101],
    ['moved', 100],
    ['moved', 99],
  ])
})

test('steps by the table whatever the browser reports', async () => {
  const { step, table } = pausedAt(100 * interval, soughtTime)
  table.put({ start: 3, duration: 2, offsets: Array.from({ length: 50 }, (_, index) => index * interval) })
  expect([await step(1), await step(-1), await step(-1)]).toEqual([
    ['moved', 101],
    ['moved', 100],
    ['moved', 99],
  ])
})

test.each([
  ['start', 0, -1],
  ['end', 9.96, 1],
] as const)('finds no frame past the %s', async (outcome, at, direction) => {
  const { step } = pausedAt(at, startOfFrame)
  expect((await step(direction))[0]).toBe(outcome)
})
