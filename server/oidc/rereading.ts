import type { ServerContext } from '../context.ts'
import { serverEntryOf } from '../audit/entry.ts'
import { printableChanges } from './audit.ts'
import { SignInFailure } from './failure.ts'
import type { ManagedUsers } from './managed-users.ts'
import type { Provider } from './provider.ts'
import type { Due } from './readings.ts'

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

  /** False if the provider is away. */
  const readAgain = async (user: Due): Promise<boolean> => {
    const begun = now()
    try {
      const { person, refreshToken } = await provider.refresh(user)
      await note(user, await users.reapply(person, refreshToken ?? user.refreshToken))
      return true
    } catch (error) {
      if (!(error instanceof SignInFailure)) throw error
      if (error.code === 'away') return false
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
      const due = await users.readings.due()
      const rank = ({ id }: Due): number => Number(failing.has(id))
      for (const user of due.toSorted((one, other) => rank(one) - rank(other))) {
        failing.add(user.id)
        if (!(await readAgain(user))) return
        failing.delete(user.id)
      }
    } finally {
      isBusy = false
    }
  }
}
