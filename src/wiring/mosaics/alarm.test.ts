// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest'
import { createActor, setup } from 'xstate'
import { alarmOf } from './alarm.ts'
import { settle } from '../../../tests/machines/settle.ts'

beforeEach(() => localStorage.clear())

function start() {
  const sounds: string[] = []
  const received: unknown[] = []
  const sound = {
    allow: async () => void sounds.push('allow'),
    play: () => void sounds.push('play'),
  }
  const parent = createActor(
    setup({ actors: { alarm: alarmOf(sound) } }).createMachine({
      invoke: { id: 'alarm', src: 'alarm' },
      on: { '*': { actions: ({ event }) => received.push(event) } },
    }),
  ).start()
  const press = () => document.dispatchEvent(new Event('pointerdown'))
  return { sounds, received, press, parent, alarm: () => parent.getSnapshot().children['alarm'] }
}

test('is off by default, and asks the browser for nothing before', async () => {
  const { sounds, received, press, alarm } = start()
  press()
  expect({ sounds, received }).toEqual({ sounds: [], received: [{ type: 'alarm.read', isOn: false }] })
  alarm()?.send({ type: 'alarm.switched', isOn: true })
  await settle()
  expect(sounds).toEqual(['allow', 'play'])
  alarm()?.send({ type: 'alarm.rung' })
  expect(sounds).toEqual(['allow', 'play', 'play'])
})

test('is stored, allowed by the next press, and silent again once it is switched off', async () => {
  const first = start()
  first.alarm()?.send({ type: 'alarm.switched', isOn: true })
  await settle()
  first.parent.stop()
  const { sounds, received, press, alarm } = start()
  expect({ sounds, received }).toEqual({ sounds: ['allow'], received: [{ type: 'alarm.read', isOn: true }] })
  press()
  expect(sounds).toEqual(['allow', 'allow'])
  alarm()?.send({ type: 'alarm.switched', isOn: false })
  press()
  await settle()
  expect(sounds).toEqual(['allow', 'allow'])
  expect(localStorage.length).toBe(0)
})
