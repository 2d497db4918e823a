import { expect, test, vi } from 'vitest'
import { lossesOf } from '../../../bench/cluster/losses.ts'
import { recordedTwice } from '../../../bench/cluster/overlaps.ts'
import { hasPostgres } from '../../../scripts/postgres.ts'
import { hasS3 } from '../../../scripts/s3.ts'
import { patience } from '../../fixtures/patience.ts'
import { openTwoServers } from '../fixtures/two-servers.ts'

test.runIf(hasPostgres() && hasS3())(
  'the camera of a node that is killed with all its processes goes on at a node whose clock is 30 s ahead',
  async () => {
    const { first: killed, other, uid, from, pinTo, gaps, untilRecordedBy, tenures } = await openTwoServers()
    const at = Date.now()
    killed.signal('SIGKILL')
    const taken = await untilRecordedBy(other)
    await pinTo('')
    await killed.restart()
    const fault = { kind: 'kill', nodeId: killed.id, at, seconds: (taken - at) / 1000 } as const
    const found = await tenures.stop()
    const losses = async () => lossesOf(await gaps(from, taken), [fault], found, 1)
    await vi.waitUntil(async () => (await losses()).beyond === 0, patience)
    expect(await recordedTwice(other.ask, uid, from, taken)).toBe(0)
  },
  240_000,
)
