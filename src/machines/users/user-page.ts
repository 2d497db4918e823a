import type { PageInput } from '../app/app.events.ts'

/** The user that the page is about, and whether it is the current user. */
export const visitedUser = ({ params, user }: Pick<PageInput, 'params' | 'user'>) => {
  const login = params['login'] ?? ''
  return { login, isSelf: user?.name.toLowerCase() === login.toLowerCase() }
}

/** Describes the page of a user to the root machine, for the header. */
export const describedUser = (login: string) => ({
  type: 'page.described' as const,
  subject: { kind: 'user' as const, id: login, name: login, canAdmin: true },
})
