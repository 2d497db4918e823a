import type { Velocity } from '../../src/api/contract/ptz.ts'
import { guarded } from '../guarded.ts'
import type { PtzCommand } from './ptz-service.ts'

export type PtzControl = {
  /** Resolves once the camera has accepted the command, or a newer command has replaced it. */
  send: (command: PtzCommand) => Promise<void>
  /** Stops a camera that moves. */
  close: () => Promise<void>
}

/** A camera stops unless the move is repeated within this time. */
const deadlineMs = 1000
/** A move that is repeated sooner than this isn't sent again. */
const repeatMs = 500
const stopAttempts = 5

type Waiting = { command: PtzCommand; done: PromiseWithResolvers<void> }

const isSame = (one: Velocity, other: Velocity): boolean =>
  one.pan === other.pan && one.tilt === other.tilt && one.zoom === other.zoom

/**
 * Sends commands to one camera, one at a time; of those that wait only the newest is sent. A move ends by itself, so
 * that a lost browser leaves no camera turning; a stop that fails is repeated.
 */
export const createPtzControl = (perform: (command: PtzCommand) => Promise<void>): PtzControl => {
  let waiting: Waiting | undefined
  let performing: PtzCommand | undefined
  let moving: { velocity: Velocity; sentAt: number } | undefined
  let timer: NodeJS.Timeout | undefined

  const forgetMove = (): void => {
    moving = undefined
    clearTimeout(timer)
  }

  const performOne = async ({ command, done }: Waiting): Promise<void> => {
    if (command.kind === 'move') moving = { velocity: command.velocity, sentAt: performance.now() }
    try {
      await perform(command)
      if (command.kind !== 'move' && waiting?.command.kind !== 'move') forgetMove()
      done.resolve()
    } catch (error) {
      // The camera may be moving or not: the deadline stops it.
      if (moving !== undefined) moving.sentAt = -Infinity
      done.reject(error)
    }
  }

  const performAll = guarded('ptz: commands', async (): Promise<void> => {
    if (performing !== undefined) return
    while (waiting !== undefined) {
      const next = waiting
      waiting = undefined
      performing = next.command
      await performOne(next)
    }
    performing = undefined
  })

  const enqueue = (command: PtzCommand): Promise<void> => {
    waiting?.done.resolve()
    const done = Promise.withResolvers<void>()
    waiting = { command, done }
    performAll()
    return done.promise
  }

  const stopLater = (ms: number, attempt: number): void => {
    clearTimeout(timer)
    timer = setTimeout(
      guarded('ptz: stop', async () => {
        await enqueue({ kind: 'stop' }).catch(() => {
          if (attempt < stopAttempts) stopLater(deadlineMs, attempt + 1)
        })
      }),
      ms,
    )
  }

  return {
    send: async (command) => {
      if (command.kind === 'move') {
        stopLater(deadlineMs, 1)
        const isRepeated =
          moving !== undefined &&
          waiting === undefined &&
          (performing === undefined || performing.kind === 'move') &&
          isSame(moving.velocity, command.velocity) &&
          performance.now() - moving.sentAt < repeatMs
        if (isRepeated) return undefined
      } else clearTimeout(timer)
      return enqueue(command).catch((error: unknown) => {
        if (moving !== undefined) stopLater(deadlineMs, 1)
        throw error
      })
    },
    close: async () => {
      clearTimeout(timer)
      if (moving === undefined && waiting === undefined) return
      await enqueue({ kind: 'stop' }).catch(() => undefined)
      forgetMove()
    },
  }
}
