import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The resources that processes have used and hold. */
export interface Used {
  /** Seconds of processor time, including ended children. */
  processorSeconds: number
  /** Resident bytes; shared memory counts once. */
  residentBytes: number
  sockets: number
}

const ticksPerSecond = 100

/** utime, stime, cutime and cstime of proc(5): of the process itself, and of its ended children. */
function ticksOf(pid: number | null): number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number)
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** Milliseconds of the processor that a process itself has used, which don't depend on the load of the machine. */
export const processorMs = (pid: number | null): number => (sumOf(ticksOf(pid).slice(0, 2)) * 1000) / ticksPerSecond

function usedByOne(pid: number): Used {
  const ticks = sumOf(ticksOf(pid))
  const proportionalKb = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1]
  const sockets = readdirSync(`/proc/${pid}/fd`).filter((fd) => isSocket(`/proc/${pid}/fd/${fd}`)).length
  return { processorSeconds: ticks / ticksPerSecond, residentBytes: Number(proportionalKb ?? 0) * 1024, sockets }
}

function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith('socket:')
  } catch {
    return false
  }
}

/** The number of open files of a process, without sockets and pipes. Linux only. */
export const openFiles = (pid: number): number =>
  readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('/')
    } catch {
      return false
    }
  }).length

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** A process and its descendants; a process that has just ended has none. */
export const processTree = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(processTree)]

/** The sum over processes, without those that have just ended. Linux only. */
export function usedBy(pids: readonly number[]): Used {
  const sum = { processorSeconds: 0, residentBytes: 0, sockets: 0 }
  for (const pid of pids) {
    try {
      const { processorSeconds, residentBytes, sockets } = usedByOne(pid)
      sum.processorSeconds += processorSeconds
      sum.residentBytes += residentBytes
      sum.sockets += sockets
    } catch {
      continue
    }
  }
  return sum
}
