import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import type * as z from 'zod/mini'
import type { Configuration } from '../../src/api/contract/settings.ts'
import type { App } from './fastify.ts'
import { tooManyRequests } from './api-error.ts'

const originOf = (url: string | null | undefined): string[] => {
  const parsed = url == null ? null : URL.parse(url)
  return parsed === null || !/^https?:$/.test(parsed.protocol) ? [] : [parsed.origin]
}

/** Browser features that the console doesn't use: injected scripts can't use them either. */
const deniedFeatures = [
  'accelerometer',
  'camera',
  'clipboard-read',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
  'xr-spatial-tracking',
]

const constantHeaders = {
  'permissions-policy': deniedFeatures.map((name) => `${name}=()`).join(', '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** HSTS without subdomains, which may have no HTTPS. */
const strictTransport = { 'strict-transport-security': 'max-age=31536000' }

const headersOf = (isHttps: boolean) => ({ ...constantHeaders, ...(isHttps ? strictTransport : {}) })

/** Headers of responses for which no hook runs. They are no pages, so their policy allows nothing. */
export const bareHeaders = (isHttps: boolean) => ({
  ...headersOf(isHttps),
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
})

type GuardOptions = z.input<typeof Configuration> & { logo?: () => string }

/** Cookies, security headers and rate limits. `logo`: its origin may change at run time. */
export const installProtection = async (app: App, configuration: GuardOptions): Promise<void> => {
  const pictures = ["'self'", 'data:', 'blob:', ...originOf(configuration.appLogo)]
  await app.register(cookie)
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'connect-src': ["'self'", ...originOf(configuration.versionCheckUrl)],
        'img-src': [() => [...new Set([...pictures, ...originOf(configuration.logo?.())])].join(' ')],
        'media-src': ["'self'", 'blob:'],
        'font-src': ["'self'"],
        'manifest-src': ["'self'"],
        'worker-src': ["'self'"],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
        'form-action': ["'self'"],
        'require-trusted-types-for': ["'script'"],
        // The policy for the URL of the console's worker (src/api/browser/service-worker.ts).
        'trusted-types': ['worker'],
      },
    },
    noSniff: false,
    frameguard: false,
    referrerPolicy: false,
    crossOriginResourcePolicy: false,
    hsts: false,
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersOf(request.protocol === 'https'))
  })
  await app.register(rateLimit, {
    global: false,
    errorResponseBuilder: (_request, context) => tooManyRequests(context.ttl / 1000),
  })
}
