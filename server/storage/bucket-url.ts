import { UsageError } from '../usage-error.ts'

/** The parts of `ARCHIVE_URL`. `prefix` is empty, or ends with a slash. */
export type BucketUrl = {
  bucket: string
  prefix: string
  endpoint: string | undefined
  region: string | undefined
  forcePathStyle: boolean
}

export const isBucketUrl = (text: string): boolean => text.startsWith('s3://')

const example = 's3://bucket/prefix?endpoint=https://host&region=name&forcePathStyle=true'
const wrong = (why: string): UsageError => new UsageError(`ARCHIVE_URL ${why}; it looks like ${example}`)

const endpointOf = (text: string): string => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) throw wrong('has an endpoint that is no http or https URL')
  if (url.username !== '' || url.password !== '') throw wrong('must not have credentials in its endpoint')
  return text
}

const pathOf = ({ pathname }: URL): string[] => {
  try {
    return decodeURIComponent(pathname).split('/').filter(Boolean)
  } catch {
    // A `%` that encodes nothing.
    throw wrong('has a prefix that is no path')
  }
}

const knownOptions: ReadonlySet<string> = new Set(['endpoint', 'region', 'forcePathStyle'])

/** Parses the URL of a bucket. Throws `UsageError`. Credentials come from the chain of the SDK, never from the URL. */
export const readBucketUrl = (text: string): BucketUrl => {
  const url = isBucketUrl(text) ? URL.parse(text) : null
  if (url === null || url.hostname === '') throw wrong('is no URL of a bucket')
  if (url.username !== '' || url.password !== '' || url.port !== '') throw wrong('must not have credentials or a port')
  const unknown = [...url.searchParams.keys()].find((name) => !knownOptions.has(name))
  if (unknown !== undefined) throw wrong(`has an unknown option ${unknown}`)
  const { endpoint, region, forcePathStyle = 'false' } = Object.fromEntries(url.searchParams)
  if (forcePathStyle !== 'true' && forcePathStyle !== 'false') throw wrong('takes forcePathStyle=true or false')
  const path = pathOf(url)
  if (path.includes('..') || path.includes('.')) throw wrong('has a prefix that is no path')
  return {
    bucket: url.hostname,
    prefix: path.map((part) => `${part}/`).join(''),
    endpoint: endpoint === undefined ? undefined : endpointOf(endpoint),
    region,
    forcePathStyle: forcePathStyle === 'true',
  }
}

/** The URL of a bucket without its options, to show. */
export const nameOfBucket = (bucketUrl: string): string => bucketUrl.replace(/\?.*$/, '')
