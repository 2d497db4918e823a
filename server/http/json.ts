import type { App } from './fastify.ts'
import { requestDecodeError } from './api-error.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Null and absent differ in the body of this route. */
    keepsNulls?: boolean
  }
}

/** Null means absent (docs/wire.md §1), at any depth; without recursion, as bodies may be nested deeply. */
const dropNulls = (body: object): void => {
  const holders = [body]
  for (const holder of holders) {
    for (const [name, value] of Object.entries(holder)) {
      if (typeof value === 'object' && value !== null) holders.push(value)
      else if (value === null && !Array.isArray(holder)) Reflect.deleteProperty(holder, name)
    }
  }
}

/** Reads JSON bodies only; an empty body of any type counts as absent. */
export const lenientJson = (app: App): void => {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parse(request, String(body), done)
  })
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    done(body === '' || request.is404 ? null : requestDecodeError(), undefined)
  })
  app.addHook('preValidation', async ({ body, routeOptions }) => {
    if (typeof body === 'object' && body !== null && routeOptions.config.keepsNulls !== true) dropNulls(body)
  })
}
