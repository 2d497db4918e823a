import { type ActorRefFrom, assign, enqueueActions, fromPromise, sendParent, sendTo, setup } from 'xstate'
import type { Settings } from '../../api/contract/settings.ts'
import type { User } from '../../api/contract/user.ts'
import type { StreamsPage } from '../../api/contract/stream.ts'
import type { Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import { pathTo } from '../app/routes.ts'
import type { FormRefused, FormReport } from '../form/form.events.ts'
import { notProvided } from '../not-provided.ts'
import { raiseToast } from '../notifications/toast.ts'
import { batchMachine } from './batch.machine.ts'
import type { SelectedCamera } from './camera-sources.ts'
import { type CamerasSelected, findCamerasMachine } from './find-cameras.machine.ts'
import { nodesMachine } from './nodes.machine.ts'
import { probingMachine } from './probing.machine.ts'
import { newStreamForm } from './stream-form.ts'
import { newStreamValues, type StreamValues } from './stream-values.ts'

type Event =
  | FormReport<StreamValues, { uid: string }>
  | FormRefused
  | { type: 'several.chosen' }
  | { type: 'one.chosen' }
  | { type: 'finding.chosen' }
  | CamerasSelected

export const onvifFeature = 'onvif'

interface Context {
  settings: Settings
  user: User | null
  form: ActorRefFrom<typeof newStreamForm> | null
  probing: ActorRefFrom<typeof probingMachine>
  substreamProbing: ActorRefFrom<typeof probingMachine>
  nodes: ActorRefFrom<typeof nodesMachine> | null
  batch: ActorRefFrom<typeof batchMachine>
  cameras: ActorRefFrom<typeof findCamerasMachine>
  /** The location that the last found camera filled in. */
  foundLocation: string
  /** How many of the first page of streams a user with a limit administers; 0 if not counted. */
  administered: number
  /** The server has refused another stream for this user. */
  isQuotaReached: boolean
  /** Of the added stream. */
  uid: string
}

/**
 * Adding streams: one by a form with a probe of the source, or several by a list. Cameras found in the network fill in
 * the form or the list. After the form is saved, the player of the new stream opens, or the list if it has lines that
 * aren't added. Read-only users (docs/behaviour.md §1), and all users of a server without a valid licence, get a
 * message instead. If the user may have only so many streams, those of the first page are counted first, for a hint.
 */
export const addStreamMachine = setup({
  types: { context: {} as Context, events: {} as Event, input: {} as PageInput },
  actors: {
    form: newStreamForm,
    probing: probingMachine,
    nodes: nodesMachine,
    batch: batchMachine,
    cameras: findCamerasMachine,
    countStreams: fromPromise<Reply<StreamsPage>>(notProvided),
  },
  actions: {
    openForm: enqueueActions(({ context: { settings }, enqueue }) => {
      enqueue.assign({
        form: ({ spawn }) =>
          spawn('form', { id: 'form', input: { values: newStreamValues(settings), facts: settings } }),
        nodes: ({ spawn }) => (settings.clusterEnabled ? spawn('nodes', { id: 'nodes' }) : null),
      })
    }),
    openSearch: sendTo(({ context }) => context.cameras, { type: 'search.opened' }),
    fillForm: enqueueActions(({ context, enqueue }, [camera]: readonly SelectedCamera[]) => {
      if (camera === undefined || context.form === null) return
      const { location, ...values } = camera
      const isTyped = context.form.getSnapshot().context.values['location.name'] !== context.foundLocation
      const namedLocation = location === '' && isTyped ? {} : { 'location.name': location }
      enqueue.assign({ foundLocation: location })
      enqueue.sendTo(context.form, { type: 'form.edited', values: { ...values, ...namedLocation } })
    }),
    forgetProbes: enqueueActions(({ context: { probing, substreamProbing }, enqueue }) => {
      for (const probe of [probing, substreamProbing]) enqueue.sendTo(probe, { type: 'probe.outdated' })
    }),
    fillBatch: sendTo(
      ({ context }) => context.batch,
      (_, cameras: readonly SelectedCamera[]) => ({ type: 'batch.filled', cameras }),
    ),
    resetForm: enqueueActions(({ context: { form, settings }, enqueue }) => {
      if (form !== null) enqueue.sendTo(form, { type: 'form.reset', values: newStreamValues(settings) })
    }),
    reportAdded: enqueueActions((machine) => raiseToast(machine, { tone: 'success', code: 'streamAdded' })),
    goToPlayer: sendParent(({ context }) => ({
      type: 'navigation.requested',
      href: pathTo('streamView', { uid: context.uid }),
    })),
  },
  guards: {
    isReadOnly: ({ context: { user } }) => user !== null && !user.isAdmin && user.maxStreamCreation === 0,
    isUnlicensed: ({ context: { settings } }) => settings.isLicenseExpired,
    /** A list that is being added takes no found cameras. */
    canFind: ({ context: { settings, batch } }) =>
      settings.features.includes(onvifFeature) && !batch.getSnapshot().hasTag('busy'),
    hasUnsavedList: ({ context: { batch } }) => batch.getSnapshot().matches({ leaving: 'held' }),
    isOne: (_, cameras: readonly SelectedCamera[]) => cameras.length === 1,
    isLimited: ({ context: { user } }) => user !== null && !user.isAdmin && user.maxStreamCreation > 0,
  },
  delays: {
    /** Lets the form stop blocking the navigation first. */
    handover: 0,
  },
}).createMachine({
  id: 'addStream',
  context: ({ input: { settings, user }, spawn }) => ({
    settings,
    user,
    form: null,
    probing: spawn('probing', { id: 'probing' }),
    substreamProbing: spawn('probing', { id: 'substreamProbing' }),
    nodes: null,
    batch: spawn('batch', { id: 'batch', input: { settings } }),
    cameras: spawn('cameras', { id: 'cameras' }),
    foundLocation: '',
    administered: 0,
    isQuotaReached: false,
    uid: '',
  }),
  initial: 'deciding',
  states: {
    deciding: {
      always: [
        { guard: 'isReadOnly', target: 'readOnly' },
        { guard: 'isUnlicensed', target: 'unlicensed' },
        { target: 'open' },
      ],
    },
    readOnly: {},
    unlicensed: {},
    open: {
      entry: 'openForm',
      initial: 'deciding',
      states: {
        deciding: { always: [{ guard: 'isLimited', target: 'counting' }, { target: 'filling' }] },
        counting: {
          invoke: {
            id: 'countStreams',
            src: 'countStreams',
            onDone: {
              target: 'filling',
              actions: assign({
                administered: ({ event }) => (event.output.ok ? administeredIn(event.output.value) : 0),
              }),
            },
            onError: 'filling',
          },
        },
        filling: {
          initial: 'one',
          on: {
            'several.chosen': '.several',
            'one.chosen': '.one',
            'finding.chosen': { guard: 'canFind', target: '.finding' },
          },
          states: {
            one: {},
            several: {},
            finding: {
              entry: 'openSearch',
              on: {
                'cameras.selected': [
                  {
                    guard: { type: 'isOne', params: ({ event }) => event.cameras },
                    target: 'one',
                    actions: [{ type: 'fillForm', params: ({ event }) => event.cameras }, 'forgetProbes'],
                  },
                  { target: 'several', actions: { type: 'fillBatch', params: ({ event }) => event.cameras } },
                ],
              },
            },
          },
        },
      },
      on: {
        'form.saved': [
          {
            guard: 'hasUnsavedList',
            target: '.filling.several',
            actions: ['resetForm', 'forgetProbes', 'reportAdded'],
          },
          { target: 'added', actions: assign({ uid: ({ event }) => event.answer.uid }) },
        ],
        'form.refused': [
          { guard: ({ event }) => event.code === 'QuotaReached', actions: assign({ isQuotaReached: true }) },
          { guard: ({ event }) => event.code === 'LicenseExpired', target: 'unlicensed' },
        ],
      },
    },
    added: { tags: 'busy', after: { handover: { actions: 'goToPlayer' } } },
  },
})

const administeredIn = ({ items }: StreamsPage): number => items.filter(({ meta }) => meta.canAdmin).length
