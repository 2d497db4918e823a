import { call, pathSegment } from '../call.ts'
import { Sessions } from '../contract/user.ts'
import { nothing } from '../contract/wire.ts'

/** The caller's own sessions (`login` null), or for administrators those of a user. */
export const getSessions = (login: string | null, signal?: AbortSignal) =>
  call(Sessions, { path: login === null ? '/v1/sessions' : `/v1/user/${pathSegment(login)}/sessions`, signal })

export const endSession = ({ login, id }: { login: string | null; id: string }, signal?: AbortSignal) =>
  call(nothing, {
    path:
      login === null ? `/v1/session/${pathSegment(id)}` : `/v1/user/${pathSegment(login)}/session/${pathSegment(id)}`,
    method: 'DELETE',
    signal,
  })

export const endOtherSessions = (signal?: AbortSignal) =>
  call(nothing, { path: '/v1/sessions/terminate', method: 'POST', signal })
