import { License, LicenseBody } from '../../src/api/contract/system.ts'
import type { ServerPlugin } from '../context.ts'
import { dayMs } from '../durations.ts'

const config = { access: { to: 'administrator' } } as const
const tags = ['system']
const warnBeforeMs = 14 * dayMs

export const licenseRoutes: ServerPlugin = (app, { license, healthSources, log, now }) => {
  healthSources.push(() => {
    const expiresAt = license.current()?.expiresAt ?? null
    const isNear = expiresAt !== null && expiresAt > now() && expiresAt - now() <= warnBeforeMs
    return isNear ? [{ code: 'LICENSE_EXPIRATION', expiresAt, isOfSite: true }] : []
  })

  const answer = () => {
    const current = license.current()
    if (current === undefined) return { expired: false, text: '', features: [] }
    const { text, features, expiresAt } = current
    return { expired: license.isExpired(), text, features, ...(expiresAt === null ? {} : { expiresAt }) }
  }

  app.get('/v1/system/license', { config, schema: { tags, response: { 200: License } } }, async () => answer())
  app.put(
    '/v1/system/license',
    { config, bodyLimit: 64 * 1024, schema: { tags, body: LicenseBody, response: { 200: License } } },
    async (request) => {
      await license.upload(request.body.text)
      log.info({ id: license.current()?.id }, 'licence uploaded')
      return answer()
    },
  )
}
