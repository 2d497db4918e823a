import { fromPromise } from 'xstate'
import { deleteUserToken, getUserTokens } from '../../api/resources/tokens.ts'
import { endOtherSessions, endSession, getSessions } from '../../api/resources/sessions.ts'
import type { Reply } from '../../api/reply.ts'
import { sessionsMachine } from '../../machines/sessions/sessions.machine.ts'
import { userTokensMachine } from '../../machines/tokens/user-tokens.machine.ts'
import { SessionsPage } from '../../views/sessions/SessionsPage.tsx'
import { definePage } from '../page.ts'

/** No call ends all sessions of another user: they are ended one after another, until one is refused. */
async function endEach(login: string, ids: readonly string[], signal: AbortSignal): Promise<Reply<object>> {
  for (const id of ids) {
    const reply = await endSession({ login, id }, signal)
    if (!reply.ok && reply.apiError.status !== 404) return reply
  }
  return { ok: true, value: {}, retryAfterSeconds: null }
}

export const page = definePage({
  logic: sessionsMachine.provide({
    actors: {
      userTokens: userTokensMachine.provide({
        actors: {
          fetchTokens: fromPromise(async ({ input, signal }) => {
            const reply = await getUserTokens(input.login, signal)
            return { reply, at: Date.now() }
          }),
          revokeToken: fromPromise(({ input, signal }) => deleteUserToken(input, signal)),
        },
      }),
      fetchSessions: fromPromise(async ({ input, signal }) => ({
        reply: await getSessions(input.login, signal),
        at: Date.now(),
      })),
      endSession: fromPromise(({ input, signal }) => endSession(input, signal)),
      endOthers: fromPromise<Reply<object>, { login: string | null; ids: readonly string[] }>(
        ({ input: { login, ids }, signal }) =>
          login === null ? endOtherSessions(signal) : endEach(login, ids, signal),
      ),
    },
  }),
  View: SessionsPage,
})
