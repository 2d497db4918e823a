import * as z from 'zod/mini'
import { StorageAway } from './chunk-storage.ts'

const S3Error = z.object({
  name: z.string(),
  message: z.optional(z.string()),
  $metadata: z.optional(z.object({ httpStatusCode: z.optional(z.number()) })),
})

/** The object doesn't exist. Has the code of a missing file. */
export class NoObject extends Error {
  override name = 'NoObject'
  readonly code = 'ENOENT'
  readonly syscall = 'GetObject'
}

/** The bucket doesn't exist, or refuses this server: a retry doesn't help. `message` says what is wrong. */
export class BucketRefused extends StorageAway {
  override name = 'BucketRefused'
}

const refusals: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket',
  InvalidAccessKeyId: 'the access key is unknown',
  SignatureDoesNotMatch: 'the secret key is wrong',
  AccessDenied: 'access is denied',
  InvalidBucketName: 'the name of the bucket is invalid',
  CredentialsProviderError: 'there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  PermanentRedirect: 'the bucket is in another region',
  AuthorizationHeaderMalformed: 'the bucket is in another region',
}

/** Whether an error says that the object doesn't exist. If the bucket doesn't exist, this is false. */
const isNoObject = ({ name, $metadata }: z.output<typeof S3Error>): boolean =>
  name === 'NoSuchKey' || (name === 'NotFound' && $metadata?.httpStatusCode === 404)

/** Whether a conditional write failed because the object exists already. */
export const isConflict = (error: unknown): boolean => {
  const found = z.safeParse(S3Error, error).data
  return found?.name === 'PreconditionFailed' || found?.$metadata?.httpStatusCode === 412
}

/** Converts an error of the SDK to one that `ChunkStorage` may reject with. */
export const asStorageError = (error: unknown): Error => {
  if (error instanceof StorageAway) return error
  const found = z.safeParse(S3Error, error).data
  if (found !== undefined && isNoObject(found)) return new NoObject(found.name, { cause: error })
  const refusal = found === undefined ? undefined : refusals[found.name]
  if (refusal !== undefined) return new BucketRefused(refusal, { cause: error })
  if (found?.$metadata?.httpStatusCode === 403) return new BucketRefused('access is denied', { cause: error })
  return new StorageAway(found?.message ?? found?.name ?? 'The bucket does not answer', { cause: error })
}
