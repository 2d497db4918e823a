import * as z from 'zod/mini'
import { secretLength, type AlertBody } from '../../src/api/contract/alerts.ts'
import { validationError } from '../http/api-error.ts'
import { bareHostOf, isForbiddenHost } from '../media/address.ts'
import type { Destination } from './happenings.ts'
import { subscriptionOf } from './push.ts'

export const hiddenSecret = '***'

type DestinationBody = AlertBody['to'][number]
type Problem = { field: 'kind' | 'address' | 'secret'; message: string }

const mailLength = 254
const Mail = z.email({ pattern: z.regexes.html5Email }).check(z.maxLength(mailLength))

const problemOfWebhook = async (address: string, allowLoopback: boolean): Promise<Problem | undefined> => {
  const field = 'address'
  const url = URL.parse(address)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '')
    return { field, message: 'Must be an address like https://host' }
  if (url.username + url.password !== '') return { field, message: 'Must be without login and password' }
  return (await isForbiddenHost(bareHostOf(url), allowLoopback))
    ? { field, message: 'This address is not allowed' }
    : undefined
}

const problemOfPush = async (address: string, allowLoopback: boolean): Promise<Problem | undefined> => {
  const field = 'address'
  const url = URL.parse(subscriptionOf(address)?.endpoint ?? '')
  if (url === null || url.protocol !== 'https:') return { field, message: 'Must be the subscription of a browser' }
  return problemOfWebhook(url.href, allowLoopback)
}

/** `***` keeps the secret of the same address only: another receiver must not get signatures of it. */
const secretOf = ({ kind, address, secret }: DestinationBody, before: readonly Destination[]): string | Problem => {
  if (kind !== 'webhook') return ''
  if (secret === hiddenSecret) {
    const kept = before.find((each) => each.kind === kind && each.address === address)?.secret ?? ''
    return kept === '' ? { field: 'secret', message: 'Enter the secret again' } : kept
  }
  const given = secret ?? ''
  return given !== '' && given.length < secretLength.min
    ? { field: 'secret', message: `At least ${secretLength.min} characters` }
    : given
}

const problemOf = async ({ kind, address }: DestinationBody, allowLoopback: boolean): Promise<Problem | undefined> => {
  if (kind === 'webhook') return problemOfWebhook(address, allowLoopback)
  if (kind === 'push') return problemOfPush(address, allowLoopback)
  return z.safeParse(Mail, address).success ? undefined : { field: 'address', message: 'Must be an e-mail address' }
}

/** The destinations of an alert, each address once. Throws a ValidationError that names every wrong field. */
export const destinationsOf = async (
  bodies: readonly DestinationBody[],
  before: readonly Destination[],
  allowLoopback: boolean,
): Promise<Destination[]> => {
  const errors: Record<string, string> = {}
  const found = new Map<string, Destination>()
  for (const [index, body] of bodies.entries()) {
    const { kind, address } = body
    const problem = await problemOf(body, allowLoopback)
    const secret = secretOf(body, before)
    for (const each of [problem, secret]) {
      if (typeof each === 'object') errors[`to.${index}.${each.field}`] ??= each.message
    }
    if (typeof secret === 'string') found.set(`${kind} ${address}`, { kind, address, secret })
  }
  if (Object.keys(errors).length > 0) throw validationError(errors)
  return [...found.values()]
}
