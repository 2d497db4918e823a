import { setTimeout as after } from 'node:timers/promises'
import * as z from 'zod/mini'
import { PlacedStreams, type PlacedStream } from '../../src/api/contract/cluster.ts'
import { freePort } from '../../scripts/free-port.ts'
import type { NodeServer, Site } from '../../scripts/nodes.ts'
import { exitCodes } from '../../server/commands/command.ts'
import { processTree } from '../processes.ts'
import { openCallSession, type Call } from '../server.ts'

const administrator = { login: 'admin', password: 'bench, not a secret' }
export const administratorEnvironment = { ADMIN_LOGIN: administrator.login, ADMIN_PASSWORD: administrator.password }

export type BenchNode = {
  id: string
  ask: Call
  placement: () => Promise<readonly PlacedStream[]>
  /** Resolves once so many streams run, on whatever node. */
  untilAllRun: (count: number) => Promise<void>
  /** Of the server and all of its processes: workers have groups of their own. */
  signal: (name: NodeJS.Signals) => void
  /** Starts the node again after it was killed. */
  restart: () => Promise<void>
  /** Starts a second server with the same id; resolves with whether it ended as one that is used wrongly. */
  isTwinRefused: () => Promise<boolean>
}

const sendSignal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch {
    // The process has ended.
  }
}

/** Starts nodes of a site, one after the other. `clocksAheadMs`: how far the clock of each is ahead. */
export const openNodes = async (site: Site, clocksAheadMs: readonly number[]): Promise<BenchNode[]> => {
  const nodes: BenchNode[] = []
  for (const [index, clockAheadMs] of clocksAheadMs.entries()) {
    const id = `node-${index + 1}`
    const port = await freePort()
    const start = (): NodeServer => site.start(id, port, { clockAheadMs })
    let server = start()
    await server.ready
    const ask = await openCallSession({ ...administrator, address: server.url })
    const placement = async () =>
      z.parse(PlacedStreams, await (await ask('GET', '/v1/system/cluster/streams')).json()).items
    nodes.push({
      id,
      ask,
      placement,
      untilAllRun: async (count) => {
        while ((await placement()).filter(({ status }) => status === 'running').length < count) await after(500)
      },
      signal: (name) => {
        for (const pid of server.child.pid === undefined ? [] : processTree(server.child.pid)) sendSignal(pid, name)
      },
      restart: async () => {
        server = start()
        await server.ready
      },
      isTwinRefused: async () => {
        const twin = site.start(id, await freePort(), { data: `${id}-twin` })
        await twin.ready.catch(() => undefined)
        const isRefused = twin.child.exitCode === exitCodes.usage
        twin.child.kill('SIGKILL')
        return isRefused
      },
    })
  }
  return nodes
}
