import { randomUUID } from 'node:crypto'
import { afterAll } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { startPostgres, type Postgres } from '../../scripts/postgres.ts'
import type { ServerOptions } from '../../server/app.ts'
import type { Cluster } from '../../server/cluster/cluster.ts'
import { testClock } from './cluster-members.ts'
import { runSql, schemaOf } from './database.ts'
import { startVideo, type VideoHarness } from './video.ts'

export const secret = 'a secret that only these nodes know'

/** One for all tests of a file. */
let postgres: Promise<Postgres> | undefined
export const postgresOf = (): Promise<Postgres> => (postgres ??= startPostgres())
export const endPostgres = (): void => {
  afterAll(async () => {
    const running = postgres
    postgres = undefined
    await (await running)?.remove()
  })
}

export type Node = VideoHarness & { cluster: Cluster }

/** Servers of one cluster, on a database whose clock a test moves; each beats when it is told. */
export const openNodes = async () => {
  const databaseUrl = await schemaOf((await postgresOf()).url, randomUUID())
  let time = Date.now()
  const setTime = () => runSql(databaseUrl, `UPDATE test_clock SET ms = ${time}`)
  await runSql(databaseUrl, `CREATE TABLE test_clock (ms BIGINT NOT NULL); INSERT INTO test_clock VALUES (${time})`)
  const nodes: Node[] = []
  const start = async (
    nodeId: string,
    options: Partial<ServerOptions> = {},
    url = `http://${nodeId}.example`,
    ca: { ca?: string } = {},
  ): Promise<Node> => {
    const harness = await startVideo({
      databaseUrl,
      addsAdmin: nodes.length === 0,
      now: () => time,
      cluster: {
        nodeId,
        url,
        secret,
        clock: testClock,
        beatMs: 0,
        monotonic: () => time,
        ...ca,
      },
      ...options,
    })
    const node = { ...harness, cluster: harness.context.cluster }
    nodes.push(node)
    return node
  }
  return {
    start,
    /** Other nodes can call it. `ca`: what it trusts besides the known authorities. */
    startListening: async (
      nodeId: string,
      { ca, ...options }: Partial<ServerOptions> & { ca?: string } = {},
    ): Promise<Node & { url: string }> => {
      const port = await freePort()
      const url = `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`
      const node = await start(nodeId, options, url, ca === undefined ? {} : { ca })
      await node.app.listen({ host: '127.0.0.1', port })
      return { ...node, url }
    },
    /** Every node beats so often, one after the other. */
    beat: async (times = 1): Promise<void> => {
      for (let count = 0; count < times; count += 1) for (const { cluster } of nodes) await cluster.refresh()
    },
    wait: async (ms: number): Promise<void> => {
      time += ms
      await setTime()
    },
    /** No longer beats. */
    leave: async (node: Node): Promise<void> => {
      nodes.splice(nodes.indexOf(node), 1)
      await node.app.close()
    },
  }
}
