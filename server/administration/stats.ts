import { statfs } from 'node:fs/promises'
import { cpus, freemem, totalmem } from 'node:os'
import { SystemStats } from '../../src/api/contract/system.ts'
import type { Room } from '../context.ts'

const cpuTimes = (): { idle: number; total: number } => {
  let idle = 0
  let total = 0
  for (const { times } of cpus()) {
    idle += times.idle
    total += times.user + times.nice + times.sys + times.idle + times.irq
  }
  return { idle, total }
}

/** Gauges of now; the processor's share is that since the call before. */
export const statsRoutes: Room = (app, context) => {
  let before = cpuTimes()

  app.get(
    '/v1/system/stats',
    { config: { access: { to: 'administrator' } }, schema: { tags: ['system'], response: { 200: SystemStats } } },
    async () => {
      const after = cpuTimes()
      const total = after.total - before.total
      const cpuPercent = total === 0 ? 0 : Math.round((1 - (after.idle - before.idle) / total) * 1000) / 10
      before = after
      const { blocks, bsize, bavail } = await statfs(context.dataDir)
      const count = context.streams.count()
      return {
        cpuPercent,
        memoryUsedBytes: totalmem() - freemem(),
        memoryTotalBytes: totalmem(),
        disk: { usedBytes: (blocks - bavail) * bsize, totalBytes: blocks * bsize },
        streams: { total: Object.values(count).reduce((sum, each) => sum + each, 0), running: count.running },
        viewers: context.streams.viewers(),
        uptimeSeconds: Math.round(process.uptime()),
      }
    },
  )
}
