import * as z from 'zod/mini'
import { settingNames } from '../../server/configuration/environment.ts'
import { optionTable, type Option } from '../../server/configuration/option-table.ts'
import { builtInValues, ConfigurationValues, flatten } from '../../server/configuration/values.ts'

type Value = Option['example']

/** Options that the package sets. */
const packaged: Readonly<Record<string, Value>> = { DATA_DIR: '/var/lib/sightline', DEMO: false }
/** Settings whose default depends on the machine. */
const typical: Readonly<Record<string, Value>> = { SETTING_LIMITS_TRANSCODES_MAX: 4 }

const Described = z.object({ title: z.string(), description: z.optional(z.string()) })
const Groups = z.object({
  properties: z.record(z.string(), z.object({ properties: z.record(z.string(), Described) })),
})

const tomlOf = (value: unknown): string => JSON.stringify(value).replaceAll('","', '", "')

const entry = (name: string, about: string, example: unknown): string => {
  const value = packaged[name]
  return value === undefined
    ? `# ${about}\n#${name} = ${tomlOf(typical[name] ?? example)}\n`
    : `# ${about}\n${name} = ${tomlOf(value)}\n`
}

const settings = (): string[] => {
  const { properties } = z.parse(Groups, z.toJSONSchema(ConfigurationValues))
  return Object.entries(flatten(builtInValues)).map(([path, value], index) => {
    const [group = '', name = ''] = path.split('.')
    const { title = '', description } = properties[group]?.properties[name] ?? {}
    return entry(settingNames[index] ?? '', description === undefined ? title : `${title}. ${description}`, value)
  })
}

/**
 * The configuration file of the package with every option and setting; those that the package doesn't set are commented
 * out.
 */
export const configExample = (): string => `# Configuration of Sightline (TOML). sightline(8) says more.
#
# After a change: sightline check-config && systemctl restart sightline
# Only root and the user sightline may read this file, as it may hold passwords.

${optionTable.map(({ name, about, example }) => entry(name, about, example)).join('\n')}
# Defaults of settings, which administrators change in the console.

${settings().join('\n')}`
