import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** Control groups for ffmpeg: of the recording of cameras, and of what is made for viewers and in the background. */
export type ControlGroups = { cameras: string; work: string }

/** The shares of processor and disk where they don't suffice; the server's own group has 100 as well. */
const weights = { server: 100, cameras: 100, work: 25 } as const

const write = (file: string, text: string): boolean => {
  try {
    writeFileSync(file, text)
    return true
  } catch {
    return false
  }
}

/**
 * The group of this process if systemd has delegated it to the user of the server (Delegate= of
 * deploy/sightline.service). A group that isn't a service's may have processes of others.
 */
const ownGroup = (root: string, self: string): string | undefined => {
  try {
    const lines = readFileSync(self, 'utf8').split('\n')
    const path = lines.find((line) => line.startsWith('0::/') && line.endsWith('.service'))?.slice('0::'.length)
    if (path === undefined) return undefined
    accessSync(join(root, path, 'cgroup.subtree_control'), constants.W_OK)
    return join(root, path)
  } catch {
    return undefined
  }
}

/**
 * Divides the group of this process, and moves the process to a group of its own. Undefined where that isn't possible:
 * then ffmpeg stays in the group of the server.
 */
export const divideGroup = ({
  root = '/sys/fs/cgroup',
  self = '/proc/self/cgroup',
  isRoot = process.getuid?.() === 0,
} = {}): ControlGroups | undefined => {
  const own = isRoot ? undefined : ownGroup(root, self)
  if (own === undefined) return undefined
  try {
    for (const name of Object.keys(weights)) mkdirSync(join(own, name), { recursive: true })
  } catch {
    return undefined
  }
  if (!joinGroup(join(own, 'server'), process.pid)) return undefined
  for (const controller of ['cpu', 'io', 'memory', 'pids']) write(join(own, 'cgroup.subtree_control'), `+${controller}`)
  for (const [name, weight] of Object.entries(weights)) {
    for (const kind of ['cpu', 'io']) write(join(own, name, `${kind}.weight`), String(weight))
  }
  return { cameras: join(own, 'cameras'), work: join(own, 'work') }
}

/** Moves a process to a group. False if it has ended, or may not be moved. */
export const joinGroup = (group: string, pid: number): boolean => write(join(group, 'cgroup.procs'), String(pid))
