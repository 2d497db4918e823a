import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { formatNumber } from '../../i18n/formats.ts'
import type { SchemaField } from '../../machines/administration/schema-fields.ts'
import type { FieldErrors } from '../../machines/form/form.events.ts'
import { useFieldError } from '../ui/field-errors.ts'

const groups: Readonly<Record<string, MessageDescriptor>> = {
  application: msg`Application`,
  limits: msg`Limits`,
  storage: msg`Storage`,
  sources: msg`Sources`,
  mail: msg`Mail`,
  recovery: msg`Password recovery`,
  signIn: msg`Signing in`,
  kiosk: msg`Kiosk`,
  tunnel: msg`Tunnel`,
  audit: msg`Audit`,
  cluster: msg`Cluster`,
}

/** What the server replaces in the tunnel's address. A message can't contain its braces. */
const placeholder = '{location}'

interface FieldWords {
  title: MessageDescriptor
  description?: MessageDescriptor
}

/** The texts of the embedded server's settings; other settings have the texts of their schema. */
const known: Readonly<Record<string, FieldWords>> = {
  'application.title': {
    title: msg`Title`,
    description: msg`The name in the header and in the window title. Empty: Sightline`,
  },
  'application.logo': { title: msg`Logo`, description: msg`The address of an image` },
  'application.defaultLanguage': {
    title: msg`Default language`,
    description: msg`For visitors who have not chosen a language. Empty: the language of the browser`,
  },
  'application.documentation': {
    title: msg`Documentation`,
    description: msg`The address of the documentation link in the menu`,
  },
  'application.site': { title: msg`Website` },
  'limits.archiveDownloadMaxSeconds': { title: msg`Max. download, seconds` },
  'limits.playlistMaxSeconds': { title: msg`Max. playlist, seconds` },
  'limits.rangesMaxSeconds': { title: msg`Max. query range, seconds` },
  'limits.archiveMaxDepthHours': {
    title: msg`Max. archive depth, hours`,
    description: msg`Older recordings are deleted. -1: no limit`,
  },
  'limits.streamsMax': { title: msg`Max. streams`, description: msg`For all users together. -1: no limit` },
  'limits.streamMbitsMax': {
    title: msg`Max. recorded bit rate, Mbit/s`,
    description: msg`A stream that exceeds this rate over a minute is shown live but not recorded. -1: no limit`,
  },
  'limits.transcodesMax': {
    title: msg`Max. transcoded streams`,
    description: msg`Streams transcoded to H.264 at the same time, for browsers that can't play the original. 0: none`,
  },
  'limits.processorMaxPercent': {
    title: msg`Max. processor load, percent`,
    description: msg`After a minute at this load a warning is shown, and no further stream is transcoded. 0: no limit`,
  },
  'storage.diskWarningPercent': {
    title: msg`Disk warning, percent`,
    description: msg`A warning is shown when at least this share of the disk is used`,
  },
  'storage.archiveMaxGb': {
    title: msg`Max. archive, GB`,
    description: msg`For all streams together. Above it, the oldest recordings are deleted. -1: no limit`,
  },
  'storage.exportsMaxGb': {
    title: msg`Max. exports, GB`,
    description: msg`For all exported files together. -1: no limit`,
  },
  'storage.exportsKeepDays': {
    title: msg`Keep exports for, days`,
    description: msg`After that, their files are deleted`,
  },
  'sources.allowLoopback': {
    title: msg`Allow sources on this server`,
    description: msg`Streams may come from programs on the server itself (127.0.0.1)`,
  },
  'mail.host': {
    title: msg`Mail server`,
    description: msg`Empty: no mail is sent, and passwords can't be recovered`,
  },
  'mail.port': { title: msg`Port` },
  'mail.security': {
    title: msg`Encryption`,
    description: msg`auto: if the mail server supports it; starttls: required; tls: from the start; none: never`,
  },
  'mail.user': { title: msg`User` },
  'mail.password': { title: msg`Password` },
  'mail.from': { title: msg`Sender`, description: msg`Empty: sightline@ followed by the name of the mail server` },
  'mail.consoleUrl': {
    title: msg`Address of the console`,
    description: msg`Alerts by mail link to it: https://cams.example.org. Empty: no links`,
  },
  'signIn.secondFactorOf': {
    title: msg`Two-factor authentication is required for`,
    description: msg`nobody, administrators or everybody. Users have to set it up to continue; tokens keep working`,
  },
  'signIn.initialPasswordDays': {
    title: msg`Initial passwords expire after, days`,
    description: msg`For passwords that an administrator set and the user has not changed. 0: never`,
  },
  'recovery.tellUnknownAddresses': {
    title: msg`Report unknown addresses`,
    description: msg`Convenient, but reveals who has an account`,
  },
  'kiosk.user': { title: msg`Prefilled login`, description: msg`Visible to anyone who opens the sign-in page` },
  'kiosk.password': { title: msg`Prefilled password` },
  'tunnel.locations': { title: msg`Locations`, description: msg`One per line` },
  'tunnel.url': {
    title: msg`Address`,
    description: msg`A fixed address; ${placeholder} in it is the selected location. Empty: taken from the output`,
  },
  'tunnel.urlPattern': {
    title: msg`Address in the output`,
    description: msg`A regular expression that finds the address in the output of the command`,
  },
  'audit.isEnabled': { title: msg`Log what users do and watch` },
  'audit.livePictures': {
    title: msg`Log views of live frames`,
    description: msg`One entry for each stream in every list that is opened`,
  },
  'cluster.isEnabled': { title: msg`Cluster`, description: msg`Shows the node of each stream` },
  'cluster.nodeName': { title: msg`Name of this node`, description: msg`Empty: the server's host name` },
}

/** The error of a setting; for a number out of range, its bounds if the schema has both. */
export function useConfigurationError(
  errors: FieldErrors,
  fields: readonly SchemaField[],
): (path: string) => string | undefined {
  const { t } = useLingui()
  const common = useFieldError(errors)
  const boundsOf = useBounds()
  return (path) => {
    if (errors[path] !== 'outOfRange') return common(path)
    const field = fields.find((other) => other.path === path)
    return (field === undefined ? '' : boundsOf(field)) || t`This number can't be used here`
  }
}

export function useBounds(): (field: SchemaField) => string {
  const { t } = useLingui()
  return ({ kind, min, max }) =>
    kind !== 'number' || min === null || max === null ? '' : t`From ${formatNumber(min)} to ${formatNumber(max)}`
}

export function useConfigurationWords() {
  const { t } = useLingui()
  return {
    group: (name: string): string => {
      const words = Object.hasOwn(groups, name) ? groups[name] : undefined
      return words === undefined ? name || t`General` : t(words)
    },
    field: ({ path, title, description }: SchemaField): { title: string; description: string } => {
      const words = Object.hasOwn(known, path) ? known[path] : undefined
      if (words === undefined) return { title, description }
      return { title: t(words.title), description: words.description === undefined ? '' : t(words.description) }
    },
  }
}
