import { fromPromise } from 'xstate'
import { controlCamera, getPresets, removePreset, savePreset } from '../../api/resources/ptz.ts'
import { ptzMachine } from '../../machines/ptz/ptz.machine.ts'

export const ptz = ptzMachine.provide({
  actors: {
    control: fromPromise(({ input, signal }) => controlCamera(input.uid, input.body, signal)),
    readPresets: fromPromise(({ input, signal }) => getPresets(input.uid, signal)),
    savePreset: fromPromise(({ input, signal }) => savePreset(input.uid, { name: input.name }, signal)),
    removePreset: fromPromise(({ input, signal }) => removePreset(input.uid, input.token, signal)),
  },
})
