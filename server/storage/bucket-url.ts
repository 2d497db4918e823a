import { UsageError } from '../usage-error.ts'

/** `prefix` is empty, or ends in a slash. */
export type BucketUrl = {
  bucket: string
  prefix: string
  endpoint: string | undefined
  region: string | undefined
  forcePathStyle: boolean
}

export const isBucketUrl = (text: string): boolean => text.startsWith('s3://')

const form = 's3://bucket/prefix?endpoint=https://host&region=name&forcePathStyle=true'
const wrong = (why: string): UsageError => new UsageError(`ARCHIVE_URL ${why}; it looks like ${form}`)

const endpointOf = (text: string): string => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) throw wrong('has an endpoint that is no http or https address')
  if (url.username !== '' || url.password !== '') throw wrong('must not have credentials in its endpoint')
  return text
}

const known: ReadonlySet<string> = new Set(['endpoint', 'region', 'forcePathStyle'])

/** Throws `UsageError`. Credentials come from the SDK's usual chain, never from the address. */
export const readBucketUrl = (text: string): BucketUrl => {
  const url = isBucketUrl(text) ? URL.parse(text) : null
  if (url === null || url.hostname === '') throw wrong('is no address of a bucket')
  if (url.username !== '' || url.password !== '' || url.port !== '') throw wrong('must not have credentials or a port')
  const odd = [...url.searchParams.keys()].find((name) => !known.has(name))
  if (odd !== undefined) throw wrong(`has an unknown option ${odd}`)
  const { endpoint, region, forcePathStyle = 'false' } = Object.fromEntries(url.searchParams)
  if (forcePathStyle !== 'true' && forcePathStyle !== 'false') throw wrong('takes forcePathStyle=true or false')
  const path = decodeURIComponent(url.pathname).split('/').filter(Boolean)
  if (path.includes('..') || path.includes('.')) throw wrong('has a prefix that is no path')
  return {
    bucket: url.hostname,
    prefix: path.map((part) => `${part}/`).join(''),
    endpoint: endpoint === undefined ? undefined : endpointOf(endpoint),
    region,
    forcePathStyle: forcePathStyle === 'true',
  }
}

/** Without the options. */
export const nameOfBucket = (address: string): string => address.replace(/\?.*$/, '')
