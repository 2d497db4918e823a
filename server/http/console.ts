import fastifyStatic from '@fastify/static'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { entranceOf } from '../administration/entrance.ts'
import type { ServerContext } from '../context.ts'
import type { App } from './fastify.ts'
import { notFound } from './api-error.ts'
import type { ConsoleConfiguration } from './console-configuration.ts'
import { acceptsGzip } from './accepts-gzip.ts'
import { createConsoleHints } from './console-hints.ts'
import { createIndex } from './base-path.ts'
import { createEntrance, type EntranceDocument, entryScript, isLedToSignIn } from './entrance.ts'
import { perBuild } from './per-build.ts'

/** A path of a built file: no segment begins with a dot. */
const plainPath = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/

const anyone = { config: { access: { to: 'anyone' } }, schema: { hide: true } } as const

/** Whether somebody has signed in here, so that the page that was asked for is most likely the one that is shown. */
const hasSession = (cookies = ''): boolean => /(?:^|; ?)(?:__Host-)?session=/.test(cookies)

interface ConsoleOptions {
  distDir: string
  configuration: ConsoleConfiguration
  /** Without one, another server answers the calls. */
  context?: ServerContext
}

/** A page that a browser opens, not what the service worker fetches to keep; a query may change what is shown. */
const isOpened = ({ headers, url }: FastifyRequest): boolean =>
  headers.accept?.includes('text/html') === true && !url.includes('?')

/**
 * Serves the console under /ui/: hashed assets, cacheable forever, and index.html for the console's own routes, with
 * the sign-in page in it where a visitor sees that first.
 */
export const consoleRoutes = async (app: App, { distDir, configuration, context }: ConsoleOptions): Promise<void> => {
  await app.register(fastifyStatic, {
    root: distDir,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    dotfiles: 'deny',
    suppressWarning: true,
  })

  const { basePath } = app
  const hasCalls = (configuration.apiBaseUrl ?? '') === basePath
  const hintsOf = createConsoleHints(distDir, { basePath, hasCalls })
  const indexOf = createIndex(distDir, basePath)
  const sendIndex = (reply: FastifyReply, link: string) => {
    reply.header('cache-control', 'no-cache')
    if (link !== '') reply.header('link', link)
    const index = indexOf()
    // As it was built, it is there compressed, too.
    if (index !== undefined && basePath === '') return reply.sendFile('index.html')
    if (index !== undefined) return reply.type('text/html; charset=utf-8').send(index)
    return reply.code(503).type('text/plain; charset=utf-8').send('The console is not built yet: run npm run build')
  }

  const documentOf = createEntrance(distDir, basePath)
  const factsOf = context === undefined ? async () => null : entranceOf(context, configuration)
  const isPlain = hasCalls && (configuration.appLogo ?? '') === ''
  /** The document with the sign-in page; null where the console has to find out by itself what to show. */
  const entranceFor = async (request: FastifyRequest, path: string) => {
    if (!isPlain || !isLedToSignIn(path) || !isOpened(request) || hasSession(request.headers.cookie)) return null
    const facts = await factsOf(request).catch(() => null)
    return facts === null ? null : documentOf(facts)
  }
  const sendEntrance = (request: FastifyRequest, reply: FastifyReply, { plain, zipped }: EntranceDocument) => {
    /* Back must not show it to who has signed in since. */
    reply.headers({ 'cache-control': 'no-store', vary: 'accept-encoding' }).type('text/html; charset=utf-8')
    if (!acceptsGzip(request)) return reply.send(plain)
    return reply.header('content-encoding', 'gzip').send(zipped)
  }

  for (const path of ['/', '/ui']) app.get(path, anyone, async (_request, reply) => reply.redirect(`${basePath}/ui/`))
  app.get('/ui/config.json', anyone, async (_request, reply) => {
    reply.header('cache-control', 'no-cache')
    return configuration
  })
  app.get(
    '/ui/assets/*',
    { ...anyone, schema: { hide: true, params: z.object({ '*': z.string() }) } },
    async (request, reply) => {
      const path = `assets/${request.params['*']}`
      // A path that could leave the folder is never looked up: a lookup would reveal which files exist.
      if (!plainPath.test(path) || !existsSync(join(distDir, path))) throw notFound()
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      return reply.sendFile(path)
    },
  )
  app.get(
    '/ui/*',
    { ...anyone, schema: { hide: true, params: z.object({ '*': z.string() }) } },
    async (request, reply) => {
      const path = request.params['*']
      const isFile =
        plainPath.test(path) && !path.includes('/') && path.includes('.') && existsSync(join(distDir, path))
      if (!isFile || path === 'index.html') {
        const entrance = await entranceFor(request, path)
        if (entrance !== null) return sendEntrance(request, reply, entrance)
        return sendIndex(reply, hasSession(request.headers.cookie) ? hintsOf(path) : '')
      }
      reply.header('cache-control', 'no-cache')
      return reply.sendFile(path)
    },
  )
}

/** The name of the script that the console begins with, another one for each build; undefined while it isn't built. */
export const createConsoleBuild = (distDir: string): (() => string | undefined) => {
  const index = join(distDir, 'index.html')
  return perBuild(index, () => {
    try {
      const entry = entryScript.exec(readFileSync(index, 'utf8'))?.[1]
      return entry === undefined ? undefined : basename(entry)
    } catch {
      // It is being built, or may not be read: health answers all the same.
      return undefined
    }
  })
}
