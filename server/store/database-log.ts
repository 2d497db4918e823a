import { createOutageLog } from '../outage-log.ts'
import type { Presence } from './presence.ts'

/** One line as the database goes away and one as it is back, whichever of the connections given finds it out. */
export const createDatabaseLog = (warn: (detail: object, message: string) => void) => {
  const { failed, ended } = createOutageLog({ failed: 'the database is away', back: 'the database is back' }, warn)
  return (store: Presence): void => store.follow({ away: ({ why }) => failed(why), back: () => ended(true) })
}
