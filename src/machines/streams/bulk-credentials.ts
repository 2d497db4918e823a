import type { Stream, StreamBody } from '../../api/contract/stream.ts'
import { hasCredentialSource } from '../stream-pages/credential-sources.ts'
import { type Credentials, replaceCredentials } from '../stream-pages/source-credentials.ts'
import { bodyOf } from './bulk-body.ts'

/** The body that changes the credentials of both sources; null if none takes any. */
export const bodyWithCredentials = (stream: Stream, credentials: Credentials): StreamBody | null =>
  hasCredentialSource(stream)
    ? {
        ...bodyOf(stream),
        streamSource: replaceCredentials(stream.streamSource, credentials),
        ...(stream.substreamSource === undefined || stream.substreamSource === ''
          ? {}
          : { substreamSource: replaceCredentials(stream.substreamSource, credentials) }),
      }
    : null
