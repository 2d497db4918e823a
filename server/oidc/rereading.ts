import type { ServerContext } from '../context.ts'
import { serverEntryOf } from '../audit/entry.ts'
import { printableChanges } from './audit.ts'
import { SignInFailure } from './failure.ts'
import type { ManagedUsers } from './managed-users.ts'
import type { Provider } from './provider.ts'
import type { Due } from './group-readings.ts'

/**
 * Reads the groups of users again by their refresh tokens, and applies them. One node does it, as many providers accept
 * a refresh token once.
 */
export const createRereading = (
  { cluster, audit, settings, changes, now }: ServerContext,
  users: ManagedUsers,
  provider: Provider,
) => {
  const note = async (user: Due, made: Awaited<ReturnType<ManagedUsers['reapply']>>): Promise<void> => {
    if (made.length === 0) return
    changes.note('oidc_permissions')
    if (!settings.isAudited) return
    await audit.write(serverEntryOf(user, 'user.change', { changes: printableChanges(made) }))
  }

  /** False if the provider is away, or refuses this server. */
  const readAgain = async (user: Due): Promise<boolean> => {
    const begun = now()
    try {
      const keep = (token: string): Promise<void> => users.readings.keepToken(user, token, begun)
      const { person, refreshToken } = await provider.refresh(user, keep)
      await note(user, await users.reapply(person, refreshToken ?? user.refreshToken))
      return true
    } catch (error) {
      if (!(error instanceof SignInFailure)) throw error
      // `failed`: it refuses this server, by a wrong secret or too many calls, or its answer can't be read.
      if (error.code === 'away' || error.code === 'failed') return false
      // Its rights last until their end, and then the user has to sign in.
      await users.readings.forgetToken(user, begun)
      return true
    }
  }

  /** The provider failed for these users. They are read last, as the failure may be theirs alone. */
  const failing = new Set<string>()
  let isBusy = false
  return async (): Promise<void> => {
    if (!cluster.isLeader() || isBusy) return
    isBusy = true
    try {
      const due = await users.readings.due(failing.size)
      const failed = [...failing]
      /** -1: didn't fail; of the others, the one that failed last comes last. */
      const rank = ({ id }: Due): number => failed.indexOf(id)
      for (const user of due.toSorted((one, other) => rank(one) - rank(other))) {
        failing.delete(user.id)
        failing.add(user.id)
        if (!(await readAgain(user))) return
        failing.delete(user.id)
      }
    } finally {
      isBusy = false
    }
  }
}
