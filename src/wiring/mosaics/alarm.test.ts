// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest'
import { createActor, setup } from 'xstate'
import { alarmOf } from './alarm.ts'
import { settle } from '../../../tests/machines/settle.ts'

beforeEach(() => localStorage.clear())

function start() {
  const heard: string[] = []
  const told: unknown[] = []
  const tone = {
    allow: async () => void heard.push('allow'),
    play: () => void heard.push('play'),
  }
  const parent = createActor(
    setup({ actors: { alarm: alarmOf(tone) } }).createMachine({
      invoke: { id: 'alarm', src: 'alarm' },
      on: { '*': { actions: ({ event }) => told.push(event) } },
    }),
  ).start()
  const press = () => document.dispatchEvent(new Event('pointerdown'))
  return { heard, told, press, parent, alarm: () => parent.getSnapshot().children['alarm'] }
}

test('is off by default, and asks the browser for nothing before', async () => {
  const { heard, told, press, alarm } = start()
  press()
  expect({ heard, told }).toEqual({ heard: [], told: [{ type: 'alarm.read', isOn: false }] })
  alarm()?.send({ type: 'alarm.switched', isOn: true })
  await settle()
  expect(heard).toEqual(['allow', 'play'])
  alarm()?.send({ type: 'alarm.rung' })
  expect(heard).toEqual(['allow', 'play', 'play'])
})

test('is stored, allowed by the next press, and silent again once it is switched off', async () => {
  const first = start()
  first.alarm()?.send({ type: 'alarm.switched', isOn: true })
  await settle()
  first.parent.stop()
  const { heard, told, press, alarm } = start()
  expect({ heard, told }).toEqual({ heard: ['allow'], told: [{ type: 'alarm.read', isOn: true }] })
  press()
  expect(heard).toEqual(['allow', 'allow'])
  alarm()?.send({ type: 'alarm.switched', isOn: false })
  press()
  await settle()
  expect(heard).toEqual(['allow', 'allow'])
  expect(localStorage.length).toBe(0)
})
