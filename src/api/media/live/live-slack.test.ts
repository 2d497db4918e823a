import { expect, test } from 'vitest'
import { createLiveSlack } from './live-slack.ts'

const stepMs = 500

/** A slack whose picture plays on for some seconds, or stalls for one step. */
function slackOf() {
  const slack = createLiveSlack()
  let time = 0
  const step = (hasData: boolean, ahead: number, isSeeking = false): number => {
    time += stepMs
    slack.update({ hasData, isSeeking, ahead, time })
    return slack.seconds()
  }
  const play = (seconds: number, ahead: number): number => {
    for (let played = 0; played < seconds * 1000; played += stepMs) step(true, ahead)
    return slack.seconds()
  }
  const stall = (ahead = 1): number => {
    step(true, ahead)
    return step(false, 0)
  }
  const pause = (seconds: number): void => void (time += seconds * 1000)
  return { slack, step, play, stall, pause }
}

test('each stall adds half a second, up to four', () => {
  const { stall } = slackOf()
  expect(Array.from({ length: 10 }, () => stall())).toEqual([0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4, 4])
})

test('a long stall counts once, a seek and the first load not at all', () => {
  const { step, stall } = slackOf()
  step(false, 0)
  step(true, 1)
  step(false, 0, true)
  expect([step(true, 1), stall(), step(false, 0), step(false, 0)]).toEqual([0, 0.5, 0.5, 0.5])
})

test('what was never needed for half a minute is taken back, half a second at a time', () => {
  const { stall, play } = slackOf()
  for (let stalls = 0; stalls < 8; stalls += 1) stall()
  expect(play(29, 2)).toBe(4)
  expect(play(2, 2)).toBe(3.5)
  expect(play(240, 2)).toBe(0)
})

test('the lowest moment of a calm decides, a seek is none', () => {
  const { stall, step, play } = slackOf()
  for (let stalls = 0; stalls < 4; stalls += 1) stall()
  step(true, 0.6)
  step(true, 0, true)
  expect(play(31, 5)).toBeCloseTo(1.7)
})

test('a stall after less slack makes the next calm twice as long', () => {
  const { stall, play } = slackOf()
  for (let stalls = 0; stalls < 8; stalls += 1) stall()
  expect([play(31, 1.5), stall(), play(31, 1.5), play(30, 1.5)]).toEqual([3.5, 4, 4, 3.5])
})

test('after a hidden tab the calm starts over', () => {
  const { stall, play, pause } = slackOf()
  stall()
  play(20, 3)
  pause(60)
  expect([play(20, 3), play(12, 3)]).toEqual([0.5, 0])
})

test('another source has no slack', () => {
  const { slack, stall } = slackOf()
  stall()
  slack.restart()
  expect(slack.seconds()).toBe(0)
})
