import { accountAttacks } from './accounts.ts'
import { archiveAttacks } from './archive.ts'
import { auditFloodAttacks } from './audit-floods.ts'
import { auditAttacks } from './audit.ts'
import { bigIndexAttacks } from './big-index.ts'
import { diskAttacks } from './disk.ts'
import { doorAttacks } from './doors.ts'
import { guessingAttacks } from './guessing.ts'
import { minuteAttacks } from './minute.ts'
import { queueAttacks } from './queues.ts'
import type { Attack } from './scene.ts'
import { sourceAttacks } from './sources.ts'
import { ssrfAttacks } from './ssrf.ts'
import { textAttacks } from './text.ts'
import { upstreamAttacks } from './upstream.ts'

/** All attacks, in order. */
export const attacks: readonly Attack[] = [
  ...sourceAttacks,
  ...textAttacks,
  ...upstreamAttacks,
  ...ssrfAttacks,
  ...diskAttacks,
  ...auditAttacks,
  ...auditFloodAttacks,
  ...queueAttacks,
  ...accountAttacks,
  ...doorAttacks,
  ...archiveAttacks,
  ...bigIndexAttacks,
  ...guessingAttacks,
  ...minuteAttacks,
]
