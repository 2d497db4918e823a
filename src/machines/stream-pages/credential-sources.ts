import type { Stream } from '../../api/contract/stream.ts'

/** Whether a source is a URL with a host: others have no credentials. */
export const takesCredentials = (source: string): boolean => /^\s*[a-z][a-z0-9+.-]*:\/\/[^/?#\s]/i.test(source)

/** Whether a source of the stream takes credentials. */
export const hasCredentialSource = ({ streamSource, substreamSource = '' }: Stream): boolean =>
  takesCredentials(streamSource) || takesCredentials(substreamSource)
