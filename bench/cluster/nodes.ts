import { setTimeout as after } from 'node:timers/promises'
import * as z from 'zod/mini'
import { PlacedStreams, type PlacedStream } from '../../src/api/contract/cluster.ts'
import type { NodeServer, Site } from '../../scripts/nodes.ts'
import { openCallSession, type Call } from '../server.ts'

const administrator = { login: 'admin', password: 'bench, not a secret' }
export const administratorEnvironment = { ADMIN_LOGIN: administrator.login, ADMIN_PASSWORD: administrator.password }

export type BenchNode = {
  id: string
  ask: Call
  placement: () => Promise<readonly PlacedStream[]>
  /** Resolves once so many streams run, on whatever node. */
  untilAllRun: (count: number) => Promise<void>
  signal: (name: NodeJS.Signals) => void
  /** Starts the node again after it was killed. */
  restart: () => Promise<void>
}

/** Starts the nodes of a site, one after the other. */
export const openNodes = async (site: Site, ports: readonly number[]): Promise<BenchNode[]> => {
  const nodes: BenchNode[] = []
  for (const [index, port] of ports.entries()) {
    const id = `node-${index + 1}`
    let server: NodeServer = site.start(id, port)
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
      signal: (name) => void server.child.kill(name),
      restart: async () => {
        server = site.start(id, port)
        await server.ready
      },
    })
  }
  return nodes
}
