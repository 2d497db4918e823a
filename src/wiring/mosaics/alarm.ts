import { fromCallback } from 'xstate'
import type { AlarmSound } from '../../api/browser/alarm-sound.ts'
import { readStored, writeStored } from '../../api/browser/storage.ts'
import type { AlarmCommand } from '../../machines/mosaics/mosaic.events.ts'

const alarmKey = 'mosaic-alarm'
const presses = ['pointerdown', 'keydown'] as const

/** The alarm sound for a lost camera, off by default. Browsers allow it only after a press. */
export const alarmOf = (sound: AlarmSound) =>
  fromCallback<AlarmCommand>(({ receive, sendBack }) => {
    const setting = { isOn: readStored('local', alarmKey) === true }
    const allow = () => {
      if (setting.isOn) sound.allow().catch(() => undefined)
    }
    sendBack({ type: 'alarm.read', isOn: setting.isOn })
    allow()
    for (const press of presses) document.addEventListener(press, allow)
    receive((command) => {
      if (command.type === 'alarm.rung') return sound.play()
      setting.isOn = command.isOn
      writeStored('local', alarmKey, command.isOn ? true : null)
      if (command.isOn) sound.allow().then(sound.play, () => undefined)
    })
    return () => {
      for (const press of presses) document.removeEventListener(press, allow)
    }
  })
