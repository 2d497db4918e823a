import * as z from 'zod/mini'
import { StorageAway } from './chunk-storage.ts'

const ErrorOfS3 = z.object({
  name: z.string(),
  message: z.optional(z.string()),
  $metadata: z.optional(z.object({ httpStatusCode: z.optional(z.number()) })),
})

/** There is no such object. Looks like a missing file. */
export class NoObject extends Error {
  override name = 'NoObject'
  readonly code = 'ENOENT'
  readonly syscall = 'GetObject'
}

/** The bucket refuses this server, or isn't there: trying again doesn't help. `message` names what to change. */
export class BucketRefused extends StorageAway {
  override name = 'BucketRefused'
}

const refusals: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket',
  InvalidAccessKeyId: 'the access key is unknown',
  SignatureDoesNotMatch: 'the secret key is wrong',
  AccessDenied: 'access is denied',
  InvalidBucketName: 'that is no name of a bucket',
  CredentialsProviderError: 'there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  PermanentRedirect: 'the bucket is in another region',
  AuthorizationHeaderMalformed: 'the bucket is in another region',
}

/** Whether an error means that an object (not its bucket) is missing. */
const isNoObject = ({ name, $metadata }: z.output<typeof ErrorOfS3>): boolean =>
  name === 'NoSuchKey' || (name === 'NotFound' && $metadata?.httpStatusCode === 404)

/** That something else has the name already. */
export const isTaken = (error: unknown): boolean => {
  const found = z.safeParse(ErrorOfS3, error).data
  return found?.name === 'PreconditionFailed' || found?.$metadata?.httpStatusCode === 412
}

/** What went wrong, in the words of `ChunkStorage`. */
export const asStorageError = (error: unknown): Error => {
  if (error instanceof StorageAway) return error
  const found = z.safeParse(ErrorOfS3, error).data
  if (found !== undefined && isNoObject(found)) return new NoObject(found.name, { cause: error })
  const refusal = found === undefined ? undefined : refusals[found.name]
  if (refusal !== undefined) return new BucketRefused(refusal, { cause: error })
  if (found?.$metadata?.httpStatusCode === 403) return new BucketRefused('access is denied', { cause: error })
  return new StorageAway(found?.message ?? found?.name ?? 'The bucket does not answer', { cause: error })
}
