import { assign } from 'xstate'
import { handleFault, handleRefusal } from '../api-errors.ts'
import { ptzSetup } from './ptz.setup.ts'

/** The camera's presets, read when the pad is opened for the first time and after each change. */
export const presetsRegion = ptzSetup.createStateConfig({
  initial: 'unread',
  states: {
    unread: { on: { 'pad.toggled': { guard: 'hasPresets', target: 'reading' } } },
    reading: {
      tags: 'busy',
      invoke: {
        id: 'readPresets',
        src: 'readPresets',
        input: ({ context: { uid } }) => ({ uid }),
        onDone: [
          {
            guard: { type: 'isRefused', params: ({ event }) => ({ reply: event.output }) },
            target: 'unread',
            actions: handleRefusal,
          },
          { target: 'ready', actions: { type: 'assignPresets', params: ({ event }) => ({ reply: event.output }) } },
        ],
        onError: { target: 'unread', actions: handleFault },
      },
    },
    ready: {
      on: {
        'name.edited': { actions: assign({ name: ({ event }) => event.name }) },
        'preset.saved': { guard: 'hasName', target: 'saving', actions: 'clearError' },
        'removal.requested': { target: 'confirming', actions: assign({ removing: ({ event }) => event.preset }) },
      },
    },
    saving: {
      tags: 'busy',
      invoke: {
        id: 'savePreset',
        src: 'savePreset',
        input: ({ context: { uid, name } }) => ({ uid, name: name.trim() }),
        onDone: [
          {
            guard: { type: 'isRefused', params: ({ event }) => ({ reply: event.output }) },
            target: 'ready',
            actions: handleRefusal,
          },
          { target: 'reading', actions: assign({ name: '' }) },
        ],
        onError: { target: 'ready', actions: handleFault },
      },
    },
    confirming: {
      on: { 'removal.confirmed': { target: 'removing', actions: 'clearError' }, 'removal.cancelled': 'ready' },
    },
    removing: {
      tags: 'busy',
      invoke: {
        id: 'removePreset',
        src: 'removePreset',
        input: ({ context: { uid, removing } }) => ({ uid, token: removing?.token ?? '' }),
        onDone: [
          {
            guard: { type: 'isRefused', params: ({ event }) => ({ reply: event.output }) },
            target: 'ready',
            actions: handleRefusal,
          },
          { target: 'reading' },
        ],
        onError: { target: 'ready', actions: handleFault },
      },
    },
  },
})
