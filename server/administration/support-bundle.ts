import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os'
import * as z from 'zod/mini'
import { SupportBundle } from '../../src/api/contract/system.ts'
import type { Caller } from '../access/access.ts'
import { signedIn } from '../access/gate.ts'
import { masked } from '../configuration/configuration.ts'
import { flatten, secretPaths } from '../configuration/values.ts'
import type { Room, ServerContext } from '../context.ts'
import { maskSecrets } from '../http/log.ts'
import { maskCredentials, parseSource } from '../media/source.ts'
import { diskOf } from './machine.ts'
import { createSampleStore } from './statistics.ts'
import { hourMs } from '../durations.ts'

const mask = '***'
/** Shorter secrets can't be told from ordinary words. */
const minSecretLength = 4
const secretName = /password|passwd|secret|token|authorization|cookie|credential|signature|private/i

/** Replaces the given secrets, the credentials of addresses and the values of fields named like a secret. */
export const scrub = (value: unknown, secrets: readonly string[]): unknown => {
  if (typeof value === 'string')
    return secrets.reduce((text, secret) => text.replaceAll(secret, mask), maskSecrets(value))
  if (Array.isArray(value)) return value.map((one: unknown) => scrub(one, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      secretName.test(name) && typeof one === 'string' && one !== '' ? mask : scrub(one, secrets),
    ]),
  )
}

const sourceSecrets = (source: string): readonly string[] => {
  const parsed = parseSource(source)
  if (typeof parsed === 'string' || parsed.kind !== 'network') return []
  return [parsed.password, `${parsed.username}:${parsed.password}`, URL.parse(source)?.password ?? '']
}

const secretsOf = ({ configuration, licence }: ServerContext, sources: readonly string[]): readonly string[] => {
  const flat = flatten(configuration.values())
  const known = [
    ...secretPaths.map((path) => String(flat[path] ?? '')),
    licence.current()?.text ?? '',
    ...sources.flatMap(sourceSecrets),
  ]
  const spelled = known.flatMap((secret) => [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
  ])
  return [...new Set(spelled)]
    .filter((secret) => secret.length >= minSecretLength)
    .toSorted((one, other) => other.length - one.length)
}

const bundleOf = async (context: ServerContext, caller: Caller): Promise<unknown> => {
  const { store, dataDir, settings, configuration, licence, node, features, serverLog, healthSources, now } = context
  const uids = await store.all(z.object({ uid: z.string() }), 'SELECT uid FROM streams ORDER BY uid')
  const streams = await context.streams.view(
    caller,
    uids.map(({ uid }) => uid),
  )
  const current = licence.current()
  const bundle = {
    made: new Date(now()).toISOString(),
    versions: {
      server: settings.version,
      node: process.version,
      sqlite: process.versions['sqlite'],
      system: `${platform()} ${release()} ${arch()}`,
    },
    machine: {
      processors: cpus().length,
      load: loadavg(),
      memoryTotalBytes: totalmem(),
      memory: process.memoryUsage(),
      disk: await diskOf(dataDir),
      uptimeSeconds: Math.round(process.uptime()),
    },
    settings: { ...settings, features: [...features].filter(licence.allows).toSorted() },
    configuration: masked(configuration.values()),
    licence:
      current === undefined
        ? null
        : { id: current.id, features: current.features, expiresAt: current.expiresAt, isExpired: licence.isExpired() },
    node: { isDrained: node.isDrained() },
    workers: context.streams.workers(),
    health: (await Promise.all(healthSources.map((source) => source()))).flat(),
    statistics: await (await createSampleStore(store)).series(now() - hourMs, now() + 1),
    streams: streams.map((stream) => ({
      ...stream,
      streamSource: maskCredentials(stream.streamSource),
      ...(stream.substreamSource === undefined ? {} : { substreamSource: maskCredentials(stream.substreamSource) }),
    })),
    log: serverLog.read(undefined),
  }
  return scrub(
    bundle,
    secretsOf(
      context,
      streams.flatMap(({ streamSource, substreamSource = '' }) => [streamSource, substreamSource]),
    ),
  )
}

export const supportBundleRoutes: Room = (app, context) => {
  context.features.add('support-bundle')
  app.get(
    '/v1/system/support-bundle',
    {
      config: { access: { to: 'administrator' } },
      schema: { tags: ['system'], response: { 200: SupportBundle } },
    },
    async (request, reply) => {
      const { caller } = request
      signedIn(request)
      const stamp = new Date(context.now()).toISOString().slice(0, 19).replaceAll(':', '-')
      reply.header('content-disposition', `attachment; filename="sightline-support-${stamp}.json"`)
      reply.header('cache-control', 'no-store')
      return z.parse(SupportBundle, await bundleOf(context, caller))
    },
  )
}
