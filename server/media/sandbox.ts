import { spawnSync } from 'node:child_process'
import { totalmem } from 'node:os'
import type { HealthWarning } from '../context.ts'
import type { ControlGroups } from './control-groups.ts'

/** Commands for network namespaces; each runs the command that follows it. */
export type Isolation = {
  /** Runs a command in a new namespace, without a network. */
  alone: readonly string[]
  /** Runs a command in the network namespace of descriptor 3 and, with user namespaces, the user namespace of 4. */
  join: readonly string[]
  kinds: readonly ('net' | 'user')[]
  /** A whole command, which brings up the loopback interface of its namespace. */
  loopbackUp: readonly string[]
}

export type Sandbox = {
  /** Undefined if no network namespace can be made. */
  isolation: Isolation | undefined
  /** The command before ffmpeg, which limits its resources and rights; empty if no such program is available. */
  before: readonly string[]
  /** The user that runs ffmpeg; undefined for that of the server, or if the command before ffmpeg changes it. */
  user: { uid: number; gid: number } | undefined
  /** The control groups of this service, and that to which this process moves ffmpeg. */
  groups?: ControlGroups | undefined
  group?: string | undefined
}

const gib = 1024 ** 3
/** Decoding 4K with a thread per core takes about 1 GiB; one camera never gets more than half of the machine. */
const maxMemoryBytes = Math.floor(
  Math.min(4 * gib, Math.min(totalmem(), process.constrainedMemory() || totalmem()) / 2),
)

/** Limits memory, written files, core dumps and descriptors. */
const limits = ['prlimit', `--data=${maxMemoryBytes}`, '--fsize=0', '--core=0', '--nofile=64']
/** Neither ffmpeg nor its children gain privileges. */
const withoutNewPrivileges = ['setpriv', '--no-new-privs', '--inh-caps=-all']

/** An unused id: above those that systems assign, and not `nobody`, which others share. */
const ownId = 65_530
const own = { uid: ownId, gid: ownId }

const isRoot = process.getuid?.() === 0

/** Drops the privileges that entering a namespace grants, before ffmpeg starts. */
const withoutPrivileges = [
  'setpriv',
  ...(isRoot ? [`--reuid=${ownId}`, `--regid=${ownId}`, '--clear-groups'] : []),
  '--no-new-privs',
  '--inh-caps=-all',
  '--bounding-set=-all',
]

/**
 * Commands that bring up the loopback interface. Not every container has `ip`; perl, which every Debian has, makes the
 * ioctl that `ifconfig` makes.
 */
export const loopbackCommands: readonly (readonly string[])[] = [
  ['ip', 'link', 'set', 'lo', 'up'],
  ['ifconfig', 'lo', 'up'],
  [
    'perl',
    '-e',
    'my $up = pack("a16 s x14", "lo", 65); socket(my $any, 2, 2, 0) or exit 1; ioctl($any, 0x8914, $up) or exit 1',
  ],
]

const namespaceCommands: Omit<Isolation, 'loopbackUp'> = isRoot
  ? { alone: ['unshare', '--net'], join: ['nsenter', '--net=/proc/self/fd/3'], kinds: ['net'] }
  : {
      alone: ['unshare', '--user', '--map-root-user', '--net'],
      join: ['nsenter', '--user=/proc/self/fd/4', '--net=/proc/self/fd/3', '--preserve-credentials'],
      kinds: ['net', 'user'],
    }

const succeeds = ([program = '', ...args]: readonly string[], user?: Sandbox['user']): boolean =>
  spawnSync(program, args, { cwd: '/', stdio: 'ignore', timeout: 10_000, ...user }).status === 0

const unisolated: readonly Sandbox[] = [...(isRoot ? [own] : []), undefined].flatMap((user) =>
  [[...withoutNewPrivileges, ...limits], limits, []].map((before) => ({ isolation: undefined, before, user })),
)

const isolated = (): Sandbox | undefined => {
  const before = [...withoutPrivileges, ...limits]
  const loopbackUp = loopbackCommands.find((command) => succeeds([...namespaceCommands.alone, ...command]))
  const isPossible =
    succeeds(['nsenter', '--version']) && succeeds([...namespaceCommands.alone, ...before, 'ffmpeg', '-version'])
  return loopbackUp === undefined || !isPossible
    ? undefined
    : { isolation: { ...namespaceCommands, loopbackUp }, before, user: undefined }
}

let found: Sandbox | undefined
let groups: ControlGroups | undefined

/** The strictest sandbox that this machine allows. The first call tries commands, which takes about a second. */
export const sandbox = (): Sandbox =>
  (found ??= {
    ...(isolated() ??
      unisolated.find(({ before, user }) => succeeds([...before, 'ffmpeg', '-version'], user)) ?? {
        isolation: undefined,
        before: [],
        user: undefined,
      }),
    ...(groups === undefined ? {} : { groups, group: groups.work }),
  })

/** Uses the sandbox that another process of this server has found, as finding one takes a second. */
export const adoptSandbox = (adopted: Sandbox): void => {
  found = adopted
}

/** Sets the control groups for ffmpeg; must be called before the first call of `sandbox`, which keeps its result. */
export const adoptGroups = (adopted: ControlGroups | undefined): void => {
  groups = adopted
}

const runsAsRoot = ({ isolation, user }: Sandbox): boolean => isRoot && isolation === undefined && user === undefined

/** Warnings for the start of the server. */
export const sandboxWarnings = (box: Sandbox): string[] => [
  ...(runsAsRoot(box) ? ['Warning: ffmpeg runs as root, because no other user can run it here.'] : []),
  ...(box.before.length === 0 ? ['Warning: ffmpeg has no limit of memory: prlimit (util-linux) is missing.'] : []),
  ...(box.before.length > 0 && !box.before.includes('setpriv')
    ? ['Warning: ffmpeg can gain privileges: setpriv (util-linux) is missing.']
    : []),
  ...(box.isolation === undefined
    ? [
        'Warning: ffmpeg shares the network of this machine: ' +
          'no network namespace can be made (docs/security.md, ffmpeg).',
      ]
    : []),
]

export const sandboxHealth = ({ isolation }: Sandbox): HealthWarning[] =>
  isolation === undefined ? [{ code: 'FFMPEG_NOT_ISOLATED', isPrivate: true }] : []
