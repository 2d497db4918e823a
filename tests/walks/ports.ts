import {
  fromCallback,
  fromPromise,
  StateMachine,
  type AnyActorLogic,
  type AnyActorRef,
  type AnyEventObject,
  type AnyStateMachine,
} from 'xstate'
import { answers, words } from './answers.ts'

/** A call of a port by a machine. */
interface Way {
  port: string
  owner: AnyActorRef
  input: Record<string, never>
}

/** A request that isn't answered yet. */
export interface Call extends Way {
  signal: AbortSignal
  resolve(answer: unknown): void
  reject(error: Error): void
}

/** A port that sends events by itself while its owner listens. */
export interface Subscription extends Way {
  /** The `<video>` of a media controller; empty for all other ports. */
  video: string
  send(event: AnyEventObject): void
}

/** The ports that the machines of a walk use. */
export interface Outside {
  asked(call: Call): void
  subscribed(subscription: Subscription): void
  unsubscribed(subscription: Subscription): void
  /** The commands to a port that sends events by itself. */
  commanded(port: string, command: AnyEventObject): void
  /** An action with an effect outside the machines: `requestClip`, `report`. */
  done(action: string, params: Record<string, never>): void
}

const namedActions: readonly string[] = ['report', 'streamView.player.requestClip']

const within = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

/** The entry with the longest matching suffix of a port's name: `streamView.player.clock`, `player.clock`, `clock`. */
function known<T>(table: Readonly<Record<string, T>>, port: string): T | undefined {
  const parts = port.split('.')
  const name = parts.map((_, index) => parts.slice(index).join('.')).find((ending) => Object.hasOwn(table, ending))
  return name === undefined ? undefined : table[name]
}

export const answerOf = (port: string) => known(answers, port)
export const wordsOf = (port: string) => known(words, port)

/** The machine with all machines below it; every other actor is a port that calls `outside()`. */
export function faked(machine: AnyStateMachine, path: string, outside: () => Outside): AnyStateMachine {
  const { actors, actions } = machine.implementations
  const below = Object.entries(actors).map(([name, logic]) => [name, fakedLogic(logic, within(path, name), outside)])
  const reaching = Object.keys(actions).filter((name) => namedActions.includes(within(path, name)))
  return machine.provide({
    actors: Object.fromEntries(below),
    actions: Object.fromEntries(
      reaching.map((name) => [name, (_: unknown, params: Record<string, never>) => outside().done(name, params)]),
    ),
  })
}

function fakedLogic(logic: unknown, port: string, outside: () => Outside): AnyActorLogic {
  if (logic instanceof StateMachine) return faked(logic, port, outside)
  if (answerOf(port) !== undefined) return asking(port, outside)
  if (wordsOf(port) !== undefined) return speaking(port, outside)
  throw new Error(`tests/walks/answers.ts says nothing for the port ${port}`)
}

const asking = (port: string, outside: () => Outside) =>
  fromPromise<unknown, Record<string, never>>(
    ({ input, self, signal }) =>
      new Promise((resolve, reject) => outside().asked({ port, owner: self, input, signal, resolve, reject })),
  )

const speaking = (port: string, outside: () => Outside) =>
  fromCallback<AnyEventObject, Record<string, never>>(({ input, self, sendBack, receive }) => {
    const here = outside()
    const subscription: Subscription = { port, owner: self, input, video: videoOf(port, self), send: sendBack }
    here.subscribed(subscription)
    receive((command) => here.commanded(port, command))
    return () => here.unsubscribed(subscription)
  })

/** A player has one `<video>` for all its streams, a mosaic one for each tile (src/wiring/player/media.ts). */
function videoOf(port: string, { _parent: media }: AnyActorRef): string {
  if (!port.endsWith('.controller')) return ''
  return port.startsWith('mosaic.') ? `tile ${media?.id}` : 'player'
}
