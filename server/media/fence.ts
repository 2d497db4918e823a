import { spawnSync } from 'node:child_process'
import { totalmem } from 'node:os'

/** How ffmpeg is kept in on this machine: what is called before it, and as whom it runs. */
export type Fence = {
  /** A program and its arguments, which put limits on themselves and become ffmpeg; empty where there is none. */
  before: readonly string[]
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

/** The strongest first. */
const fences: readonly Fence[] = [...(isRoot ? [own] : []), undefined].flatMap((user) =>
  [[...withoutRights, ...limits], limits, []].map((before) => ({ before, user })),
)

const holds = ({ before, user }: Fence): boolean => {
  const [program = '', ...args] = [...before, 'ffmpeg', '-version']
  return spawnSync(program, args, { cwd: '/', stdio: 'ignore', timeout: 10_000, ...user }).status === 0
}

let found: Fence | undefined

/** The strongest fence in which ffmpeg runs here; tried once. */
export const fence = (): Fence => (found ??= fences.find(holds) ?? { before: [], user: undefined })

/** What the fence lacks, for whoever starts the server. */
export const gapsOfFence = ({ before, user }: Fence): string[] => [
  ...(isRoot && user === undefined ? ['Warning: ffmpeg runs as root, as another user may not run it here.'] : []),
  ...(before.length === 0 ? ['Warning: ffmpeg has no limit of memory: prlimit (util-linux) is missing.'] : []),
]
