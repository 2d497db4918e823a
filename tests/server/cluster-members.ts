import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createClusterClock } from '../../server/cluster/clock.ts'
import type { Cluster } from '../../server/cluster/cluster.ts'
import { createMember, type MemberOptions } from '../../server/cluster/member.ts'
import { clusterSteps } from '../../server/cluster/tables.ts'
import type { Schema } from '../../server/store/migration.ts'
import { openPostgres } from '../../server/store/postgres/open.ts'
import { openStore, type Store } from '../../server/store/store.ts'
import { streamsSteps } from '../../server/streams/tables.ts'
import { usersSteps } from '../../server/users/tables.ts'
import { databaseOf } from './database.ts'
import { connectHere } from './local-connection.ts'

/** What a test reads in place of the database's clock. */
export const testClock = '(SELECT ms FROM test_clock)'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Members of a cluster on one database, whose clocks a test moves and whose beats it makes. */
export const openMembers = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-cluster-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { databaseUrl } = await databaseOf(folder)
  const open = async (schema?: Schema): Promise<Store> => {
    const file = join(folder, 'a.db')
    const store = await (databaseUrl === undefined
      ? openStore(file, connectHere, schema)
      : openPostgres(databaseUrl, schema))
    onTestFinished(store.close)
    return store
  }
  const clockSteps = ['CREATE TABLE test_clock (ms INTEGER NOT NULL) STRICT; INSERT INTO test_clock VALUES (0)']
  const store = await open(
    new Map([
      ['users', usersSteps],
      ['streams', streamsSteps],
      ['cluster', clusterSteps],
      ['test', clockSteps],
    ]),
  )
  let time = 1_000_000
  const setTime = () => store.run('UPDATE test_clock SET ms = ?', time)
  await setTime()
  const members: Cluster[] = []

  const join_ = async (nodeId: string, options: Partial<MemberOptions> = {}): Promise<Cluster> => {
    const member = await createMember({
      store: await open(),
      clock: testClock,
      nodeId,
      url: `http://${nodeId}.example`,
      version: '1',
      time: createClusterClock(() => time),
      log: quiet,
      beatMs: 0,
      monotonic: () => time,
      ...options,
    })
    members.push(member)
    return member
  }

  return {
    store,
    join: join_,
    /** Also begins to take streams. */
    start: async (...nodeIds: string[]): Promise<Cluster[]> => {
      const started: Cluster[] = []
      for (const nodeId of nodeIds) started.push(await join_(nodeId))
      for (const member of started) await member.start()
      return started
    },
    addStreams: async (...uids: string[]): Promise<void> => {
      for (const uid of uids) {
        await store.run(
          `INSERT INTO streams (uid, name, source, tags, location, marker, is_archived, depth_hours, is_on_demand,
             is_paused, created_at, needle) VALUES (?, '', '', '[]', '', '', 1, 0, 0, 0, 0, '')`,
          uid,
        )
      }
    },
    now: () => time,
    /** Moves every clock. */
    wait: async (ms: number): Promise<void> => {
      time += ms
      await setTime()
    },
  }
}

/** Who holds which streams, by their own account. */
export const holdings = (members: readonly Cluster[], uids: readonly string[]): Record<string, string[]> =>
  Object.fromEntries(
    members.map((member) => [member.nodeId, uids.filter((uid) => member.assignmentOf(uid) === 'holding')]),
  )
