import { diskAttacks } from './disk.ts'
import type { Attack } from './scene.ts'
import { sourceAttacks } from './sources.ts'
import { ssrfAttacks } from './ssrf.ts'
import { textAttacks } from './text.ts'
import { upstreamAttacks } from './upstream.ts'

/** Every attack, in the order in which they are made. */
export const attacks: readonly Attack[] = [...sourceAttacks, ...textAttacks, ...upstreamAttacks, ...ssrfAttacks, ...diskAttacks]
