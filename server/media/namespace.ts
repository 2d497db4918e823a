import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, fstatSync, openSync, statSync } from 'node:fs'
import { createServer, Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { guarded } from '../guarded.ts'
import { sandbox, type Isolation } from './sandbox.ts'

export type Listener = {
  server: Server
  port: number
  /** Descriptors of its namespaces, for `Isolation.join`; empty if it listens on the loopback of this machine. */
  namespaces: readonly number[]
  close: () => void
}

/** The process that keeps the network namespace of the gateways open, and listens in it. */
type Holder = { namespaces: readonly number[]; listen: () => Promise<Server> }

const Ready = z.object({ kind: z.literal('ready') })
const Answer = z.object({ id: z.number(), kind: z.enum(['listener', 'released']) })

const answerWithinMs = 10_000
const holderFile = fileURLToPath(new URL('namespace-holder.ts', import.meta.url))

const closeAll = (descriptors: readonly number[]): void => {
  for (const descriptor of descriptors) closeSync(descriptor)
}

const openNamespaces = (kinds: Isolation['kinds'], pid: number): number[] => {
  const opened: number[] = []
  try {
    for (const kind of kinds) {
      const descriptor = openSync(`/proc/${pid}/ns/${kind}`, 'r')
      opened.push(descriptor)
      if (fstatSync(descriptor).ino === statSync(`/proc/self/ns/${kind}`).ino) throw new Error('The namespace is gone')
    }
    return opened
  } catch (error) {
    closeAll(opened)
    throw error
  }
}

const whenReady = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle = guarded('namespace: start', (message?: unknown) => {
      clearTimeout(timer)
      if (z.safeParse(Ready, message).success) resolve()
      else reject(new Error('No network namespace could be made'))
    })
    const timer = setTimeout(settle, answerWithinMs)
    child.once('error', settle)
    child.once('exit', settle)
    child.once('message', settle)
  })

const startHolder = async ({ alone, loopbackUp, kinds }: Isolation, onEnd: () => void): Promise<Holder> => {
  const [program = '', ...args] = [...alone, process.execPath, '--no-warnings', holderFile, ...loopbackUp]
  const child = spawn(program, args, {
    cwd: '/',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { PATH: process.env['PATH'] ?? '' },
  })
  const end = () => {
    onEnd()
    child.kill('SIGKILL')
  }
  child.on('error', guarded('namespace: holder', end))
  const namespaces = await whenReady(child)
    .then(() => openNamespaces(kinds, child.pid ?? 0))
    .catch((error: unknown) => {
      end()
      throw error
    })
  const requests = new Map<
    number,
    { resolve: (server: Server) => void; reject: (error: Error) => void; server?: Server }
  >()
  let lastId = 0

  child.on(
    'message',
    guarded(
      'namespace: answer',
      (message, handle) => {
        const { id, kind } = z.parse(Answer, message)
        const pending = requests.get(id)
        if (pending === undefined) {
          if (handle instanceof Server) handle.close()
        } else if (kind === 'listener' && handle instanceof Server) pending.server = handle
        else if (pending.server !== undefined) pending.resolve(pending.server)
      },
      end,
    ),
  )
  child.once(
    'exit',
    guarded('namespace: end', () => {
      onEnd()
      closeAll(namespaces)
      for (const { reject } of requests.values()) reject(new Error('The network namespace ended'))
    }),
  )
  // The holder ends with this process, and doesn't keep it running.
  child.unref()
  child.channel?.unref()

  /** The listener belongs to this process alone once the holder has closed its copy. */
  const listen = async (): Promise<Server> => {
    lastId += 1
    const id = lastId
    const timer = setTimeout(guarded('namespace: silence', end), answerWithinMs)
    try {
      return await new Promise<Server>((resolve, reject) => {
        requests.set(id, { resolve, reject })
        const sent = (error: Error | null) => {
          if (error === null) return
          end()
          reject(error)
        }
        child.send(id, guarded('namespace: request', sent))
      })
    } catch (error) {
      requests.get(id)?.server?.close()
      throw error
    } finally {
      clearTimeout(timer)
      requests.delete(id)
    }
  }
  return { namespaces, listen }
}

let held: Promise<Holder> | undefined

const holder = (isolation: Isolation): Promise<Holder> => {
  if (held !== undefined) return held
  const forget = () => {
    if (held === own) held = undefined
  }
  const own = startHolder(isolation, forget).catch((error: unknown) => {
    forget()
    throw error
  })
  held = own
  return own
}

const portOf = (server: Server): number => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port was given')
  return address.port
}

const listenHere = async (): Promise<Server> => {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return server
}

const open = async (isolation: Isolation | undefined): Promise<Listener> => {
  const source = isolation === undefined ? undefined : await holder(isolation)
  // Duplicates: the originals are closed when the holder ends, and their numbers may be reused.
  const namespaces = (source?.namespaces ?? []).map((descriptor) => openSync(`/proc/self/fd/${descriptor}`, 'r'))
  try {
    const server = source === undefined ? await listenHere() : await source.listen()
    // An error, for example without a free descriptor, loses only one connection.
    server.on('error', () => undefined)
    let isOpen = true
    return {
      server,
      port: portOf(server),
      namespaces,
      close: () => {
        if (!isOpen) return
        isOpen = false
        server.close()
        closeAll(namespaces)
      },
    }
  } catch (error) {
    closeAll(namespaces)
    throw error
  }
}

/**
 * Listens in the network namespace of the gateways. If the holder of the namespace has ended, another one is started.
 */
export const openListener = async (): Promise<Listener> => {
  const { isolation } = sandbox()
  return open(isolation).catch(async () => open(isolation))
}
