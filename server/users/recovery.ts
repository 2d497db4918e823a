import { ResetBody, SendResetBody } from '../../src/api/contract/user.ts'
import { nothing } from '../../src/api/contract/wire.ts'
import type { Room } from '../context.ts'
import { featureNotFound } from '../http/refusal.ts'

const config = { access: { to: 'anyone' } } as const

/** Without a mail server there is no recovery; settings say so by `passwordResetAllowed`. */
export const recoveryRoutes: Room = (app) => {
  const tags = ['session']
  app.post('/v1/password/send-reset', { config, schema: { tags, body: SendResetBody, response: { 200: nothing } } }, async () => {
    throw featureNotFound()
  })
  app.post('/v1/password/reset', { config, schema: { tags, body: ResetBody, response: { 200: nothing } } }, async () => {
    throw featureNotFound()
  })
}
