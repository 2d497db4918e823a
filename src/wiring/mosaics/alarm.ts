import { fromCallback } from 'xstate'
import { readStored, writeStored } from '../../api/browser/storage.ts'
import type { Tone } from '../../api/browser/tone.ts'
import type { AlarmCommand } from '../../machines/mosaics/mosaic.events.ts'

const alarmKey = 'mosaic-alarm'
const presses = ['pointerdown', 'keydown'] as const

/** The sound of a camera that was lost, off until it is chosen. Any press lets a browser play it. */
export const alarmOf = (tone: Tone) =>
  fromCallback<AlarmCommand>(({ receive, sendBack }) => {
    const kept = { isOn: readStored('local', alarmKey) === true }
    const allow = () => {
      if (kept.isOn) tone.allow().catch(() => undefined)
    }
    sendBack({ type: 'alarm.read', isOn: kept.isOn })
    allow()
    for (const press of presses) document.addEventListener(press, allow)
    receive((command) => {
      if (command.type === 'alarm.rung') return tone.play()
      kept.isOn = command.isOn
      writeStored('local', alarmKey, command.isOn ? true : null)
      if (command.isOn) tone.allow().then(tone.play, () => undefined)
    })
    return () => {
      for (const press of presses) document.removeEventListener(press, allow)
    }
  })
