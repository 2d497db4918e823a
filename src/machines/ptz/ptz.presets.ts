import { assign } from 'xstate'
import { brokenTo, ptzSetup, refusedTo } from './ptz.setup.ts'

/** The camera's presets: read when the pad is first opened, and after each change. */
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
          refusedTo('unread'),
          { target: 'ready', actions: { type: 'assignPresets', params: ({ event }) => ({ reply: event.output }) } },
        ],
        onError: brokenTo('unread'),
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
        onDone: [refusedTo('ready'), { target: 'reading', actions: assign({ name: '' }) }],
        onError: brokenTo('ready'),
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
        onDone: [refusedTo('ready'), { target: 'reading' }],
        onError: brokenTo('ready'),
      },
    },
  },
})
