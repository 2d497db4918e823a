import { spawnSync } from 'node:child_process'
import process from 'node:process'
import * as z from 'zod/mini'
import { atEnd } from './endings.ts'

/**
 * The network of the attacks. Isolated, server and attackers are in two network namespaces with only a virtual cable
 * between them; otherwise all are on this machine's loopback.
 */
const Space = z.object({
  isIsolated: z.boolean(),
  /** The command that runs a program in the server's namespace; empty without namespaces. */
  beside: z.array(z.string()),
  serverHost: z.string(),
  /** The host on which cameras and other servers of the attackers listen. */
  ownHost: z.string(),
  /** The prefix of 250 addresses of callers. */
  callers: z.string(),
})
export type Space = z.output<typeof Space>

/** The address of the n-th caller. */
export const callerOf = ({ callers }: Space, index: number): string => `${callers}.${1 + (index % 250)}`

const variable = 'SIGHTLINE_ATTACK_SPACE'

export const loopback: Space = {
  isIsolated: false,
  beside: [],
  serverHost: '127.0.0.1',
  ownHost: '127.0.0.1',
  callers: '127.0.77',
}

/** The space that this process was started in; undefined if none was made yet. */
export const givenSpace = (): Space | undefined => {
  const given = process.env[variable]
  return given === undefined ? undefined : z.parse(Space, JSON.parse(given))
}

const ip = (...args: string[]): boolean => spawnSync('ip', args, { stdio: 'ignore' }).status === 0

/** Kills the processes in a namespace and removes it. */
const removeNamespace = (name: string): void => {
  const { stdout } = spawnSync('ip', ['netns', 'pids', name])
  for (const pid of String(stdout)
    .split('\n')
    .map(Number)
    .filter((each) => each > 0))
    process.kill(pid, 'SIGKILL')
  ip('netns', 'del', name)
}

/**
 * Two connected namespaces, and how to start a program in that of the attackers; undefined if this machine doesn't
 * allow it.
 */
export const makeSpace = (): { enter: readonly string[]; env: Record<string, string> } | undefined => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  const [server, own] = [`sightline-s${process.pid}`, `sightline-a${process.pid}`]
  const forget = atEnd(() => [server, own].forEach(removeNamespace))
  const isMade =
    ip('netns', 'add', server) &&
    ip('netns', 'add', own) &&
    ip('link', 'add', 'v0', 'netns', server, 'type', 'veth', 'peer', 'name', 'v0', 'netns', own) &&
    ip('-n', server, 'addr', 'add', '10.77.0.1/16', 'dev', 'v0') &&
    ip('-n', own, 'addr', 'add', '10.77.0.2/16', 'dev', 'v0') &&
    [server, own].every(
      (name) => ip('-n', name, 'link', 'set', 'v0', 'up') && ip('-n', name, 'link', 'set', 'lo', 'up'),
    ) &&
    // Makes many addresses local without assigning each to the interface.
    ip('-n', own, 'route', 'add', 'local', '10.77.1.0/24', 'dev', 'lo') &&
    spawnSync('nsenter', [`--net=/run/netns/${own}`, 'true']).status === 0
  if (!isMade) {
    forget()
    return undefined
  }
  const space: Space = {
    isIsolated: true,
    beside: ['nsenter', `--net=/run/netns/${server}`],
    serverHost: '10.77.0.1',
    ownHost: '10.77.0.2',
    callers: '10.77.1',
  }
  return { enter: ['nsenter', `--net=/run/netns/${own}`], env: { [variable]: JSON.stringify(space) } }
}
