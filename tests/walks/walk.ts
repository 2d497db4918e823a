import {
  createActor,
  isMachineSnapshot,
  SimulatedClock,
  StateMachine,
  type AnyActorRef,
  type AnyEventObject,
  type AnyStateMachine,
  type InspectionEvent,
} from 'xstate'
import { appMachine } from '../../src/machines/app/app.machine.ts'
import { pathTo, routeNames } from '../../src/machines/app/routes.ts'
import { clipsMachine } from '../../src/machines/clips/clips.machine.ts'
import { exportDraftMachine } from '../../src/machines/exports/export-draft.machine.ts'
import { locksMachine } from '../../src/machines/locks/locks.machine.ts'
import { motionMachine } from '../../src/machines/motion/motion.machine.ts'
import { paletteMachine } from '../../src/machines/palette/palette.machine.ts'
import { playerPageMachine } from '../../src/machines/player/page.machine.ts'
import { ptzMachine } from '../../src/machines/ptz/ptz.machine.ts'
import { takenEdges } from '../../src/views/dev/edges.ts'
import { ok, refused } from '../fixtures/replies.ts'
import { inputOf } from '../machines/console.ts'
import { beginning, silent } from './answers.ts'
import { gestures } from './gestures.ts'
import { pages } from './pages.ts'
import { answerOf, faked, wordsOf, type Call, type Subscription, type Outside } from './ports.ts'
import { createRandom } from './random.ts'

const now: { outside: Outside | null } = { outside: null }
const outside = (): Outside => {
  if (now.outside === null) throw new Error('no walk is under way')
  return now.outside
}

const whole = faked(appMachine, '', outside)
const clips = faked(clipsMachine, 'clips', outside)
const palette = faked(paletteMachine, 'palette', outside)
const motion = faked(motionMachine, 'streamView.motion', outside)
const loaded = [
  { type: 'motion.loaded', logic: motion },
  {
    type: 'tools.loaded',
    locks: faked(locksMachine, 'streamView.locks', outside),
    exportDraft: faked(exportDraftMachine, 'streamView.exportDraft', outside),
    maxExportItems: 32,
    ptz: faked(ptzMachine, 'streamView.ptz', outside),
  },
]
const logics = new Map(
  routeNames.map((name) => [name, pages[name] === null ? null : faked(pages[name], name, outside)]),
)

const paths = routeNames.map((name) => pathTo(name, { uid: 'gate', id: 'm1', login: 'bob' }))
/** What a view may send a machine at any time; the code of the player's tools and of the motion search comes later. */
const gesturesOf = (actor: AnyActorRef): readonly AnyEventObject[] => {
  const id = machineOf(actor)
  const events = gestures.get(id) ?? []
  return id === playerPageMachine.id ? [...events, ...loaded] : events
}
/** The busiest pages, and pages that replace another one of the same kind. */
const busyPaths = [
  '/stream/gate/view',
  '/stream/gate/view?at=2026-11-21T11:00:00Z&speed=4',
  '/stream/yard/view',
  '/mosaic/m1',
  '/mosaic/m1?at=2026-11-21T11:00:00Z',
  '/mosaic/m2',
  '/streams',
  '/streams?group=tag',
]
const pauses = [10, 300, 1000, 1000, 5000, 10_000, 60_000]
const apiErrors = [
  [401, 'AuthorizationRequired'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [423, 'Locked'],
  [429, 'TooManyRequests'],
  [400, 'ValidationError'],
  [400, 'TimeRangeIsTooLong'],
  [500, 'InternalServerError'],
  [0, 'NoResponse'],
  [0, 'UnreadableReply'],
] as const

export interface Walked {
  seed: number
  /** Faults: an actor that stopped by an error, two engines on one video, a port left open. */
  faults: readonly string[]
  /** What the walk did, in order, to explain a fault. */
  steps: readonly string[]
  /** All edges that were taken. */
  edges: ReadonlySet<string>
}

/** Waits until all answers are handled. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

/**
 * A random visit of the console: addresses, gestures, events of ports, pauses, and answers, which come late, out of
 * order, as errors, by throwing, after the caller has stopped waiting, or never. `machine` replaces the root machine in
 * a test of the walk itself.
 */
export async function walk(seed: number, length: number, machine: AnyStateMachine = appMachine): Promise<Walked> {
  const random = createRandom(seed)
  const clock = new SimulatedClock()
  const calls = new Set<Call>()
  const subscriptions = new Set<Subscription>()
  const faults: string[] = []
  const steps: string[] = []
  const edges = new Set<string>()

  now.outside = {
    asked(call) {
      if (!random.chance(0.05)) calls.add(call)
    },
    subscribed(subscription) {
      if (subscription.video !== '' && [...subscriptions].some(({ video }) => video === subscription.video))
        faults.push(`two engines on the video of ${subscription.video}`)
      subscriptions.add(subscription)
    },
    unsubscribed: (subscription) => subscriptions.delete(subscription),
    commanded(port, command) {
      if (port !== 'location') return
      if (command.type === 'location.written') goTo(command['href'])
      if (command.type === 'leave.requested') moveTo({ type: 'session.closeGranted' })
    },
    done(action, params) {
      if (action === 'requestClip') requestClip(params['clip'])
      else faults.push(`reported: ${String(params['error'])}`)
    },
  }

  const inspect = (event: InspectionEvent) => {
    if (event.type === '@xstate.microstep') takenEdges(event)?.edges.forEach((edge) => edges.add(edge))
    if (event.type === '@xstate.snapshot' && isMachineSnapshot(event.snapshot) && event.snapshot.status === 'error') {
      faults.push(
        `${event.snapshot.machine.id} died: ${event.snapshot.error instanceof Error ? event.snapshot.error.stack : String(event.snapshot.error)}`,
      )
    }
  }
  const start = random.pick([...paths, ...busyPaths]) ?? '/'
  const app = machine === appMachine ? whole : faked(machine, '', outside)
  const root = createActor(app, {
    clock,
    inspect,
    systemId: 'app',
    input: inputOf(start, { isShared: random.chance(0.1), wasSignedIn: random.chance(0.5) }),
  })

  function goTo(href: string): void {
    const { pathname, search, hash } = new URL(href, 'https://console.example')
    moveTo({ type: 'location.changed', address: { pathname, search, hash } })
  }

  const moveTo = (event: AnyEventObject) => {
    for (const { port, send } of subscriptions) if (port === 'location') send(event)
  }

  const requestClip = (clip: unknown) => root.getSnapshot().context.clips?.send({ type: 'clips.requested', clip })

  const did = (step: string) => steps.push(step)

  /** Mostly an event that the machine accepts now, sometimes another one. */
  const likely = (actor: AnyActorRef, events: readonly AnyEventObject[]): AnyEventObject | null =>
    random.pick(random.chance(0.8) ? events.filter((event) => actor.getSnapshot().can(event)) : events)

  function answer(): void {
    const call = random.pick([...calls])
    if (call === null) return pass()
    calls.delete(call)
    const kind = random.below(20)
    did(
      `${call.port} ${kind === 0 ? 'fails' : kind < 5 ? 'is refused' : 'is answered'}${call.signal.aborted ? ', though nobody waits' : ''}`,
    )
    if (kind === 0) return call.reject(new Error('by chance'))
    const [status, code] = random.pick(apiErrors) ?? [500, '']
    const reply = <T>(value: T) => (kind < 5 ? refused(status, code) : ok(value))
    call.resolve(
      answerOf(call.port)?.({
        input: call.input,
        now: beginning + clock.now(),
        reply,
        page: (name) => logics.get(name) ?? null,
      }),
    )
  }

  function speak(): void {
    const speaking = [...subscriptions].filter(({ port }) => wordsOf(port) !== silent)
    const controllers = speaking.filter(({ video }) => video !== '')
    const kinds = Map.groupBy(speaking, ({ port }) => port.split('.').at(-1))
    const subscription = random.pick(
      controllers.length > 0 && random.chance(0.5) ? controllers : (random.pick([...kinds.values()]) ?? []),
    )
    if (subscription === null) return pass()
    const { port, input, owner, send: sendEvent } = subscription
    const words = wordsOf(port)?.({ input, now: beginning + clock.now() }) ?? []
    const event = owner._parent === undefined ? null : likely(owner._parent, words)
    if (event === null) return pass()
    // Rarely, as a session that ends too often leaves little to test.
    if (port === 'watchApiErrors' && !random.chance(0.1)) return answer()
    did(`${port} sends ${event.type}`)
    sendEvent(event)
  }

  function gesture(): void {
    const page: AnyActorRef | null = root.getSnapshot().context.page
    const actor = random.pick(page !== null && random.chance(0.9) ? machinesBelow(page) : machinesBelow(root))
    const event = actor === null ? null : likely(actor, gesturesOf(actor))
    if (actor === null || event === null) return answer()
    did(`${machineOf(actor)} gets ${event.type}`)
    send(actor, event)
  }

  function pass(): void {
    const pause = random.pick(pauses) ?? 0
    did(`${pause} ms pass`)
    clock.increment(pause)
  }

  function move(): void {
    const path = random.pick(random.chance(0.6) ? busyPaths : paths) ?? '/'
    did(`to ${path}`)
    goTo(path)
  }

  const weights = [
    [answer, 12],
    [gesture, 10],
    [speak, 10],
    [pass, 5],
    [move, 1],
  ] as const
  const acts = weights.flatMap(([act, weight]) => Array.from({ length: weight }, () => act))

  const look = () => {
    for (const { port, owner } of [...subscriptions, ...[...calls].filter(({ signal }) => !signal.aborted)]) {
      if (!isHeld(owner)) faults.push(`${port} goes on, though who asked is gone`)
      if (isOfPage(port) && topOf(owner, root) !== root.getSnapshot().context.page)
        faults.push(`${port} goes on, though its page was left`)
    }
  }

  root.start()
  root.send({ type: 'clips.loaded', logic: clips })
  root.send({ type: 'palette.loaded', logic: palette })
  for (let step = 0; step < length && faults.length === 0; step += 1) {
    ;(random.pick(acts) ?? pass)()
    await turn()
    look()
  }
  root.stop()
  await turn()
  if (subscriptions.size > 0 || [...calls].some(({ signal }) => !signal.aborted))
    faults.push('something goes on after the end')
  return { seed, faults, steps, edges }
}

const machineOf = ({ logic }: AnyActorRef & { logic?: unknown }): string =>
  logic instanceof StateMachine ? logic.id : ''

const childrenOf = (actor: AnyActorRef): AnyActorRef[] => {
  const snapshot = actor.getSnapshot()
  return isMachineSnapshot(snapshot)
    ? Object.values(snapshot.children).filter((child): child is AnyActorRef => child !== undefined)
    : []
}

/** An actor and all machines below it that views send events to. */
function machinesBelow(actor: AnyActorRef): AnyActorRef[] {
  const all = [actor]
  for (const one of all) all.push(...childrenOf(one).filter((child) => machineOf(child) !== ''))
  return all.filter((one) => gesturesOf(one).length > 0)
}

/** Whether an actor and all its parents still run, up to the root. */
function isHeld(actor: AnyActorRef): boolean {
  const { _parent: parent } = actor
  if (parent === undefined) return true
  return childrenOf(parent).includes(actor) && parent.getSnapshot().status === 'active' && isHeld(parent)
}

/** The ports of a page are named by its route. */
const isOfPage = (port: string): boolean => Object.hasOwn(pages, port.split('.')[0] ?? '')

/** The child of the root that an actor is or belongs to. */
const topOf = (actor: AnyActorRef, root: AnyActorRef): AnyActorRef =>
  actor._parent === undefined || actor._parent === root ? actor : topOf(actor._parent, root)

/** Sends an event unless the machine has just ended. */
function send(actor: AnyActorRef, event: AnyEventObject): void {
  if (actor.getSnapshot().status === 'active') actor.send(event)
}
