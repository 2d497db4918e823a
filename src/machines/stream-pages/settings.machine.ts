import { type ActorRefFrom, enqueueActions, sendParent, setup } from 'xstate'
import type { Settings } from '../../api/contract/settings.ts'
import type { Stream, Track } from '../../api/contract/stream.ts'
import type { FormReport } from '../form/form.events.ts'
import { raiseToast } from '../notifications/toast.ts'
import { nodesMachine } from './nodes.machine.ts'
import { probingMachine } from './probing.machine.ts'
import { streamSettingsForm } from './stream-form.ts'
import type { StreamContentInput, StreamSaved } from './stream-page.machine.ts'
import { isDescribed, type StreamValues, valuesOf } from './stream-values.ts'

interface Context {
  uid: string
  settings: Settings
  form: ActorRefFrom<typeof streamSettingsForm>
  probing: ActorRefFrom<typeof probingMachine>
  substreamProbing: ActorRefFrom<typeof probingMachine>
  nodes: ActorRefFrom<typeof nodesMachine> | null
  /** The tracks of the main stream when the page opened; empty if the server doesn't know them. */
  tracks: readonly Track[]
}

/**
 * A stream's settings: one form for all of them, a probe of each typed source and, in a cluster, the nodes to choose
 * from. Saving raises a toast and, if the server answers with the stream, notifies the page of it.
 */
export const streamSettingsMachine = setup({
  types: {
    context: {} as Context,
    events: {} as FormReport<StreamValues, Stream>,
    input: {} as StreamContentInput,
  },
  actors: { form: streamSettingsForm, probing: probingMachine, nodes: nodesMachine },
  actions: {
    notifySaved: enqueueActions(({ enqueue, system }) => {
      raiseToast({ enqueue, system }, { tone: 'success', code: 'streamSaved' })
    }),
    notifyStream: sendParent((_args, { stream }: { stream: Stream }): StreamSaved => ({
      type: 'stream.saved',
      stream,
    })),
  },
  guards: { isDescribed: (_args, { stream }: { stream: Stream }) => isDescribed(stream) },
}).createMachine({
  id: 'streamSettings',
  context: ({ input: { uid, stream, settings }, spawn }) => ({
    uid,
    settings,
    form: spawn('form', { id: 'form', input: { values: valuesOf(stream, settings), facts: settings } }),
    probing: spawn('probing', { id: 'probing' }),
    substreamProbing: spawn('probing', { id: 'substreamProbing' }),
    nodes: settings.clusterEnabled ? spawn('nodes', { id: 'nodes' }) : null,
    tracks: stream.video === undefined ? (stream.tracks ?? []) : [{ type: 'video', ...stream.video }],
  }),
  on: {
    'form.saved': [
      {
        guard: { type: 'isDescribed', params: ({ event }) => ({ stream: event.answer }) },
        actions: ['notifySaved', { type: 'notifyStream', params: ({ event }) => ({ stream: event.answer }) }],
      },
      { actions: 'notifySaved' },
    ],
  },
})
