import type { PageInput } from '../app/app.events.ts'

/** Whose page it is, and whether the administrator who looks is that user. */
export const visitedUser = ({ params, user }: Pick<PageInput, 'params' | 'user'>) => {
  const login = params['login'] ?? ''
  return { login, isSelf: user?.name.toLowerCase() === login.toLowerCase() }
}

/** The report of a user's page to the root machine, for the header. */
export const describedUser = (login: string) => ({
  type: 'page.described' as const,
  subject: { kind: 'user' as const, id: login, name: login, canAdmin: true },
})
