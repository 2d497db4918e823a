import * as z from 'zod/mini'
import { validationError } from '../http/api-error.ts'
import { query, type Store } from '../store/store.ts'
import { createSerialQueue } from '../store/serial-queue.ts'
import { flatten, nest, merge, parseValues, secretPaths, type ConfigurationValues } from './values.ts'

export type Configuration = {
  values: () => ConfigurationValues
  /** The changes that `save` would make, with secrets as `***`; empty if one is invalid. */
  compare: (changes: Record<string, unknown>) => { path: string; from: unknown; to: unknown }[]
  /**
   * Saves changes, unless `check` throws at their paths; `***` keeps a secret. Throws 400 ValidationError. Returns the
   * changed paths.
   */
  save: (
    changes: Record<string, unknown>,
    login: string,
    check?: (paths: readonly string[]) => void,
  ) => Promise<string[]>
  /** Reads what another node has saved. */
  reload: () => Promise<void>
  /** Calls the listener now, and after each change. */
  watch: (listener: (values: ConfigurationValues) => void) => void
  /** The last 50 saved versions, newest first; then the defaults, with an empty login, unless versions were dropped. */
  versions: () => Promise<{ id: string; time: number; login: string; values: ConfigurationValues }[]>
}

const mask = '***'
const keptVersions = 50

/** A row has all settings that differ from the defaults of the deployment. */
export const configurationSteps: readonly string[] = [
  `CREATE TABLE configuration_versions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, login TEXT NOT NULL, differences TEXT NOT NULL
  ) STRICT`,
]
const VersionRow = z.object({ id: z.number(), time: z.number(), login: z.string(), differences: z.string() })

/** The values with secrets as `***`. */
export const masked = (values: ConfigurationValues): ConfigurationValues => {
  const flat = flatten(values)
  const hidden = secretPaths.filter((path) => flat[path] !== '').map((path) => [path, mask] as const)
  const result = parseValues(merge(values, nest(Object.fromEntries(hidden))))
  return 'values' in result ? result.values : values
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

export const createConfiguration = async (
  store: Store,
  defaults: ConfigurationValues,
  now: () => number,
): Promise<Configuration> => {
  const rows = query(
    store,
    VersionRow,
    'SELECT id, time, login, differences FROM configuration_versions ORDER BY id DESC',
  )
  const newest = query(
    store,
    VersionRow,
    'SELECT id, time, login, differences FROM configuration_versions ORDER BY id DESC LIMIT 1',
  )
  const turns = createSerialQueue()
  const listeners: ((values: ConfigurationValues) => void)[] = []

  /** Settings that this version of the server refuses get their defaults. */
  const stateOf = (differences: string): ConfigurationValues => {
    const flat = z.parse(z.record(z.string(), z.unknown()), JSON.parse(differences))
    const all = parseValues(merge(defaults, nest(flat)))
    if ('values' in all) return all.values
    const invalid = new Set(Object.keys(all.errors))
    const valid = parseValues(
      merge(
        defaults,
        nest(
          Object.fromEntries(
            Object.entries(flat).filter(([path]) => !invalid.has(path) && !invalid.has(path.split('.')[0] ?? '')),
          ),
        ),
      ),
    )
    return 'values' in valid ? valid.values : defaults
  }

  const read = async (): Promise<ConfigurationValues> => {
    const last = await newest.get()
    return last === undefined ? defaults : stateOf(last.differences)
  }
  let values = await read()

  const use = (after: ConfigurationValues): void => {
    if (isSame(after, values)) return
    values = after
    for (const listener of listeners) listener(values)
  }

  const changedBy = (
    current: ConfigurationValues,
    changes: Record<string, unknown>,
  ): ReturnType<typeof parseValues> => {
    const before = flatten(current)
    const changed = merge(current, changes)
    const flat = flatten(changed)
    const password = flatten(changes)['mail.password'] ?? mask
    const host = flat['mail.host']
    // The password in use must not go to another mail server. Without a server, it goes nowhere.
    const isOtherServer = host !== '' && host !== before['mail.host']
    if (password === mask && before['mail.password'] !== '' && isOtherServer) {
      return { errors: { 'mail.password': 'Enter the password again for another mail server' } }
    }
    const kept = secretPaths.filter((path) => flat[path] === mask).map((path) => [path, before[path]] as const)
    return parseValues(merge(changed, nest(Object.fromEntries(kept))))
  }

  const differences = (
    current: ConfigurationValues,
    after: ConfigurationValues,
  ): [path: string, from: unknown, to: unknown][] => {
    const before = flatten(current)
    const all = Object.entries(flatten(after))
    return all.flatMap(([path, to]) => (isSame(to, before[path]) ? [] : [[path, before[path], to]]))
  }

  const overridesOf = (after: ConfigurationValues): Record<string, unknown> => {
    const flatDefaults = flatten(defaults)
    return Object.fromEntries(
      Object.entries(flatten(after)).filter(([path, value]) => !isSame(value, flatDefaults[path])),
    )
  }

  return {
    values: () => values,
    compare: (changes) => {
      const result = changedBy(values, changes)
      if ('errors' in result) return []
      const hidden: ReadonlySet<string> = new Set(secretPaths)
      const shown = (path: string, value: unknown) => (hidden.has(path) && value !== '' ? mask : value)
      const found = differences(values, result.values)
      return found.map(([path, from, to]) => ({ path, from: shown(path, from), to: shown(path, to) }))
    },
    save: (changes, login, check = () => undefined) =>
      turns(async () => {
        const saved = await store.transaction(async () => {
          // Another node may have saved, and this one not have read it yet.
          const before = await read()
          const result = changedBy(before, changes)
          if ('errors' in result) throw validationError(result.errors)
          const after = result.values
          const changed = differences(before, after).map(([path]) => path)
          if (changed.length === 0) return { after, changed }
          check(changed)
          const sql = 'INSERT INTO configuration_versions (time, login, differences) VALUES (?, ?, ?)'
          await store.run(sql, now(), login, JSON.stringify(overridesOf(after)))
          await store.run(
            `DELETE FROM configuration_versions WHERE id <= (
             SELECT id FROM configuration_versions ORDER BY id DESC LIMIT 1 OFFSET ${keptVersions})`,
          )
          return { after, changed }
        })
        use(saved.after)
        return saved.changed
      }),
    reload: () => turns(async () => use(await read())),
    watch: (listener) => {
      listeners.push(listener)
      listener(values)
    },
    versions: async () => {
      const saved = (await rows.all()).map(({ id, time, login, differences }) => ({
        id: String(id),
        time,
        login,
        values: stateOf(differences),
      }))
      const oldest = saved.at(-1)
      return oldest?.id === '1' ? [...saved, { id: '0', time: oldest.time, login: '', values: defaults }] : saved
    },
  }
}
