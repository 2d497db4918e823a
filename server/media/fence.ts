import { spawnSync } from 'node:child_process'
import { totalmem } from 'node:os'
import type { HealthSource } from '../context.ts'

/** How a program gets into a network namespace on this machine; each a program and its arguments, before those of another. */
export type Isolation = {
  /** Into a new and empty one. */
  alone: readonly string[]
  /** Into that of the descriptors 3 and, where users have a namespace too, 4. */
  join: readonly string[]
  /** Which namespaces `join` takes, in the order of its descriptors, as `/proc` names them. */
  kinds: readonly ('net' | 'user')[]
  /** Brings loopback up in a new one; nothing follows. */
  loopbackUp: readonly string[]
}

/** How ffmpeg is kept in on this machine: what is called before it, and as whom it runs. */
export type Fence = {
  /** Its network is a namespace with nothing in it but the gateway; undefined where the system has none to give. */
  isolation: Isolation | undefined
  /** A program and its arguments, which put limits on themselves and become ffmpeg; empty where there is none. */
  before: readonly string[]
  /** Where `before` doesn't become somebody else by itself. */
  user: { uid: number; gid: number } | undefined
}

const gib = 1024 ** 3
/** Decoding 4K with a thread a core takes about 1 GiB; more than half of the machine is never one camera's. */
const mostMemory = Math.floor(Math.min(4 * gib, Math.min(totalmem(), process.constrainedMemory() || totalmem()) / 2))

/** No memory without end, no file written, no core, few open; and nothing that it starts gets more rights than it has. */
const limits = ['prlimit', `--data=${mostMemory}`, '--fsize=0', '--core=0', '--nofile=64']
const withoutRights = ['setpriv', '--no-new-privs', '--inh-caps=-all']

/** Nobody's: between those that systems give away and `nobody`, whom others share. */
const ownId = 65_530
const own = { uid: ownId, gid: ownId }

const isRoot = process.getuid?.() === 0

/** Whoever enters a namespace has rights in it, which must go before ffmpeg starts. */
const insideNamespace = [
  'setpriv',
  ...(isRoot ? [`--reuid=${ownId}`, `--regid=${ownId}`, '--clear-groups'] : []),
  '--no-new-privs',
  '--inh-caps=-all',
  '--bounding-set=-all',
]

/** `ip` isn't in every container; perl is in every Debian, and sets the interface's flags by the call that `ip` makes. */
const waysUp: readonly (readonly string[])[] = [
  ['ip', 'link', 'set', 'lo', 'up'],
  ['ifconfig', 'lo', 'up'],
  ['perl', '-e', 'socket(my $any, 2, 2, 0) and ioctl($any, 0x8914, pack("a16 s x14", "lo", 65)) or exit 1'],
]

const wayIn: Omit<Isolation, 'loopbackUp'> = isRoot
  ? { alone: ['unshare', '--net'], join: ['nsenter', '--net=/proc/self/fd/3'], kinds: ['net'] }
  : {
      alone: ['unshare', '--user', '--map-root-user', '--net'],
      join: ['nsenter', '--user=/proc/self/fd/4', '--net=/proc/self/fd/3', '--preserve-credentials'],
      kinds: ['net', 'user'],
    }

const succeeds = ([program = '', ...args]: readonly string[], user?: Fence['user']): boolean =>
  spawnSync(program, args, { cwd: '/', stdio: 'ignore', timeout: 10_000, ...user }).status === 0

/** The strongest first. */
const openFences: readonly Fence[] = [...(isRoot ? [own] : []), undefined].flatMap((user) =>
  [[...withoutRights, ...limits], limits, []].map((before) => ({ isolation: undefined, before, user })),
)

const isolated = (): Fence | undefined => {
  const before = [...insideNamespace, ...limits]
  const loopbackUp = waysUp.find((way) => succeeds([...wayIn.alone, ...way]))
  const isPossible = succeeds(['nsenter', '--version']) && succeeds([...wayIn.alone, ...before, 'ffmpeg', '-version'])
  return loopbackUp === undefined || !isPossible
    ? undefined
    : { isolation: { ...wayIn, loopbackUp }, before, user: undefined }
}

let found: Fence | undefined

/** The strongest fence in which ffmpeg runs here; tried once. */
export const fence = (): Fence =>
  (found ??= isolated() ??
    openFences.find(({ before, user }) => succeeds([...before, 'ffmpeg', '-version'], user)) ?? {
      isolation: undefined,
      before: [],
      user: undefined,
    })

const runsAsRoot = ({ isolation, user }: Fence): boolean => isRoot && isolation === undefined && user === undefined

/** What the fence lacks, for whoever starts the server. */
export const gapsOfFence = (fence: Fence): string[] => [
  ...(runsAsRoot(fence) ? ['Warning: ffmpeg runs as root, as another user may not run it here.'] : []),
  ...(fence.before.length === 0 ? ['Warning: ffmpeg has no limit of memory: prlimit (util-linux) is missing.'] : []),
  ...(fence.isolation === undefined
    ? [
        'Warning: ffmpeg shares the network of this machine: no network namespace can be made (docs/security.md, ffmpeg).',
      ]
    : []),
]

/** What health says of it, for as long as the server runs. */
export const warningsOfFence = ({ isolation }: Fence): HealthSource =>
  isolation === undefined ? [{ code: 'FFMPEG_NOT_ISOLATED', isPrivate: true }] : []
