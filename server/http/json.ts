import type { App } from '../context.ts'

/** Bodies are JSON or absent: no other type is read (playback.md, Guarding), and an empty JSON body counts as absent. */
export const lenientJson = (app: App): void => {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parse(request, String(body), done)
  })
}
