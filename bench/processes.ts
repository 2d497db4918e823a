import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** What some processes have used so far, and hold now. */
export interface Used {
  /** Seconds of processor time, of children that ended too. */
  processorSeconds: number
  /** Bytes resident, what several share counted once. */
  residentBytes: number
  sockets: number
}

const ticksPerSecond = 100

function ofOne(pid: number): Used {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ').map(Number)
  const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0)
  const shared = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1]
  const sockets = readdirSync(`/proc/${pid}/fd`).filter((fd) => isSocket(`/proc/${pid}/fd/${fd}`)).length
  return { processorSeconds: ticks / ticksPerSecond, residentBytes: Number(shared ?? 0) * 1024, sockets }
}

function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith('socket:')
  } catch {
    return false
  }
}

/** A process and all that it started. */
export const familyOf = (pid: number): number[] => [
  pid,
  ...readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).flatMap((child) => familyOf(Number(child))),
]

/** The sum over processes; one that has just ended counts nothing. Linux only. */
export function usedBy(pids: readonly number[]): Used {
  const sum = { processorSeconds: 0, residentBytes: 0, sockets: 0 }
  for (const pid of pids) {
    try {
      const { processorSeconds, residentBytes, sockets } = ofOne(pid)
      sum.processorSeconds += processorSeconds
      sum.residentBytes += residentBytes
      sum.sockets += sockets
    } catch {
      continue
    }
  }
  return sum
}
