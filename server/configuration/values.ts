import { availableParallelism } from 'node:os'
import * as z from 'zod/mini'

const meta = (title: string, description = '') => z.meta(description === '' ? { title } : { title, description })

const shortText = (title: string, description?: string) =>
  z.string().check(z.trim(), z.maxLength(200), meta(title, description))
const wholeNumber = (min: number, max: number, title: string, description?: string) =>
  z.int().check(z.minimum(min), z.maximum(max), meta(title, description))
const yesOrNo = (title: string, description?: string) => z.boolean().check(meta(title, description))
const secret = (title: string) =>
  z.string().check(z.maxLength(500), z.meta({ title, format: 'password', writeOnly: true }))

const isLink = (text: string): boolean => text === '' || /^https?:$/.test(URL.parse(text)?.protocol ?? '')
const isPicture = (text: string): boolean =>
  isLink(text) || /^\/[^/\\]/.test(text) || /^data:image\/[a-z+.-]+[;,]/.test(text)
const isPattern = (text: string): boolean => {
  try {
    return new RegExp(text, 'u').source !== ''
  } catch {
    return false
  }
}
const link = (title: string, description?: string) =>
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(2000),
      z.refine(isLink, 'Must be empty or an address like https://host'),
      meta(title, description),
    )

/** Settings that administrators change at run time. Exactly two levels: groups and settings. */
export const ConfigurationValues = z.strictObject({
  application: z.strictObject({
    title: shortText('Title', 'The name in the header and in the window title. Empty: Sightline'),
    logo: z
      .string()
      .check(
        z.trim(),
        z.maxLength(100_000),
        z.refine(isPicture, 'Must be empty, an address, a path of this server or a data: picture'),
        meta('Logo', 'The address of an image'),
      ),
    defaultLanguage: z
      .string()
      .check(
        z.trim(),
        z.regex(/^(?:[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)?$/, 'Must be empty or a code like en or ru'),
        meta('Default language', 'For visitors who have not chosen a language. Empty: the language of the browser'),
      ),
    documentation: link('Documentation', 'The address of the documentation link in the menu'),
    site: link('Site'),
  }),
  limits: z.strictObject({
    archiveDownloadMaxSeconds: wholeNumber(1, 604_800, 'Max. download, seconds'),
    playlistMaxSeconds: wholeNumber(60, 31_536_000, 'Max. playlist, seconds'),
    rangesMaxSeconds: wholeNumber(60, 31_536_000, 'Max. query range, seconds'),
    archiveMaxDepthHours: z.int().check(
      z.minimum(-1),
      z.maximum(1_000_000),
      z.refine((hours) => hours !== 0, 'Enter hours above 0, or -1 for no limit'),
      meta('Max. archive depth, hours', 'Older recordings are deleted. -1: no limit'),
    ),
    streamsMax: wholeNumber(-1, 1_000_000, 'Max. streams', 'For all users together. -1: no limit'),
    streamMbitsMax: wholeNumber(
      -1,
      100_000,
      'Max. recorded bit rate, Mbit/s',
      'A stream that exceeds this rate over a minute is shown live but not recorded. -1: no limit',
    ),
    transcodesMax: wholeNumber(
      0,
      1000,
      'Max. converted streams',
      'Streams converted to H.264 at the same time, for browsers that can not play the original. 0: none',
    ),
    processorMaxPercent: wholeNumber(
      0,
      100,
      'Max. processor load, percent',
      'After a minute at this load a warning is shown, and no further stream is converted. 0: no limit',
    ),
  }),
  storage: z.strictObject({
    diskWarningPercent: wholeNumber(
      1,
      100,
      'Disk warning, percent',
      'A warning is shown when at least this share of the disk is used',
    ),
    archiveMaxGb: wholeNumber(
      -1,
      1_000_000_000,
      'Max. archive, GB',
      'For all streams together. Beyond it, the oldest recordings are deleted. -1: no limit',
    ),
    exportsMaxGb: wholeNumber(-1, 1_000_000_000, 'Max. exports, GB', 'For all exported files together. -1: no limit'),
    exportsKeepDays: wholeNumber(1, 36_500, 'Exports are kept, days', 'Then their files are deleted'),
  }),
  sources: z.strictObject({
    allowLoopback: yesOrNo(
      'Allow sources on this machine',
      'Streams may come from programs on the server itself (127.0.0.1)',
    ),
  }),
  mail: z.strictObject({
    host: shortText('Mail server', 'Empty: no mail is sent, and passwords can not be recovered'),
    port: wholeNumber(1, 65_535, 'Port'),
    security: z
      .enum(['auto', 'starttls', 'tls', 'none'])
      .check(
        meta(
          'Encryption',
          'auto: if the mail server supports it; starttls: required; tls: from the start; none: never',
        ),
      ),
    user: shortText('User'),
    password: secret('Password'),
    from: z
      .string()
      .check(
        z.trim(),
        z.maxLength(300),
        z.regex(/^(?:[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)?$/, 'Must be an e-mail address'),
        meta('Sender', 'Empty: sightline@ followed by the name of the mail server'),
      ),
    consoleUrl: link('Address of the console', 'Alerts by mail link to it: https://cams.example.org. Empty: no links'),
  }),
  recovery: z.strictObject({
    tellUnknownAddresses: yesOrNo('Say when an address is unknown', 'Convenient, but reveals who has an account'),
  }),
  signIn: z.strictObject({
    secondFactorOf: z
      .enum(['nobody', 'administrators', 'everybody'])
      .check(
        meta(
          'Two-factor authentication is required of',
          'nobody, administrators or everybody. They must set it up first; API tokens stay valid',
        ),
      ),
    initialPasswordDays: wholeNumber(
      0,
      3650,
      'Initial passwords expire after, days',
      'Those that an administrator chose, unless they were changed. 0: never',
    ),
  }),
  kiosk: z.strictObject({
    user: shortText('Prefilled login', 'Visible to anyone who opens the sign-in page'),
    password: secret('Prefilled password'),
  }),
  tunnel: z.strictObject({
    locations: z
      .array(z.string().check(z.trim(), z.regex(/^[\w.:@][\w.:@-]{0,99}$/, 'Must be a plain name')))
      .check(z.minLength(1), z.maxLength(50), meta('Locations', 'One per line')),
    url: link(
      'Address',
      'A fixed address; {location} in it is the selected location. Empty: taken from the output of the command',
    ),
    urlPattern: z
      .string()
      .check(
        z.minLength(1, 'Required'),
        z.maxLength(300),
        z.refine(isPattern, 'Must be a regular expression'),
        meta('Address in the output', 'A regular expression that finds the address in the output of the command'),
      ),
  }),
  audit: z.strictObject({
    isEnabled: yesOrNo('Record who did and watched what'),
    livePictures: yesOrNo('Record views of live frames', 'One entry for each stream in every list that is opened'),
  }),
  cluster: z.strictObject({
    isEnabled: yesOrNo('Cluster', 'Shows the node of each stream'),
    nodeName: shortText('Name of this node', 'Empty: the name of the machine'),
  }),
})
export type ConfigurationValues = z.output<typeof ConfigurationValues>

export const builtInValues: ConfigurationValues = {
  application: { title: '', logo: '', defaultLanguage: '', documentation: '', site: '' },
  limits: {
    archiveDownloadMaxSeconds: 3600,
    playlistMaxSeconds: 604_800,
    rangesMaxSeconds: 10_800,
    archiveMaxDepthHours: -1,
    streamsMax: 1000,
    streamMbitsMax: 50,
    transcodesMax: 2 * availableParallelism(),
    processorMaxPercent: 95,
  },
  storage: { diskWarningPercent: 90, archiveMaxGb: -1, exportsMaxGb: 50, exportsKeepDays: 14 },
  sources: { allowLoopback: false },
  mail: { host: '', port: 25, security: 'auto', user: '', password: '', from: '', consoleUrl: '' },
  recovery: { tellUnknownAddresses: false },
  signIn: { secondFactorOf: 'nobody', initialPasswordDays: 30 },
  kiosk: { user: '', password: '' },
  tunnel: { locations: ['default'], url: '', urlPattern: String.raw`https?://[^\s"'<>]+` },
  audit: { isEnabled: true, livePictures: false },
  cluster: { isEnabled: false, nodeName: '' },
}

export const secretPaths = ['mail.password', 'kiosk.password'] as const

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `{mail: {host}}` → `{'mail.host': host}`. */
export const flatten = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([group, fields]) =>
      isRecord(fields) ? Object.entries(fields).map(([name, value]) => [`${group}.${name}`, value]) : [],
    ),
  )

/** The inverse of `flatten`. */
export const nest = (flat: Record<string, unknown>): Record<string, Record<string, unknown>> => {
  const values: Record<string, Record<string, unknown>> = {}
  for (const [path, value] of Object.entries(flat)) {
    const [group, name] = path.split('.')
    if (group !== undefined && name !== undefined) values[group] = { ...values[group], [name]: value }
  }
  return values
}

/** Merges `changes` into `values` group by group. Checks nothing. */
export const merge = (values: Record<string, unknown>, changes: Record<string, unknown>): Record<string, unknown> => {
  const merged = { ...values }
  for (const [group, fields] of Object.entries(changes)) {
    const before = values[group]
    merged[group] = isRecord(fields) && isRecord(before) ? { ...before, ...fields } : fields
  }
  return merged
}

/** `errors`: messages by path. */
export const parseValues = (values: unknown): { values: ConfigurationValues } | { errors: Record<string, string> } => {
  const result = z.safeParse(ConfigurationValues, values)
  if (result.success) return { values: result.data }
  const errors: Record<string, string> = {}
  for (const issue of result.error.issues) {
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) errors[[...issue.path, key].join('.')] = 'Unknown setting'
    else errors[issue.path.slice(0, 2).join('.')] ??= issue.message
  }
  return { errors }
}
