/** Codes with messages in the console, or short plain text. ffmpeg's own text never leaves this folder. */
export const failureReasons = [
  'EHOSTUNREACH',
  'HTTP_NOT_FOUND',
  'HTTP_UNAUTHORIZED',
  'ACCESS_DENIED_ERR',
  'ProbeError',
  'The source has no video',
  'The source stopped sending',
  'The source sends no keyframes',
  'The source sends too much at once',
  'The source changed what it sends',
  'The connection was lost',
  'The disk is full',
] as const
export type FailureReason = (typeof failureReasons)[number]

export type GatewayFailure = Extract<
  FailureReason,
  | 'EHOSTUNREACH'
  | 'HTTP_NOT_FOUND'
  | 'HTTP_UNAUTHORIZED'
  | 'ACCESS_DENIED_ERR'
  | 'ProbeError'
  | 'The source sends too much at once'
>

const words: Readonly<Record<string, string>> = {
  EHOSTUNREACH: "The camera doesn't answer",
  HTTP_NOT_FOUND: 'The camera has nothing at this path',
  HTTP_UNAUTHORIZED: "The camera doesn't accept the login and password",
  ACCESS_DENIED_ERR: 'The camera denies access, or leads to a forbidden address',
  ProbeError: 'The camera sends nothing that can be read',
}

/** For the log of the stream. */
export const wordsOf = (reason: FailureReason): string => words[reason] ?? reason

/** The gateway knows the statuses of the source: in ffmpeg's messages, they may be those of a segment long ago. */
const patterns: readonly [RegExp, FailureReason][] = [
  [/connection refused|no route to host|network is unreachable|host is down|timed out/i, 'EHOSTUNREACH'],
  [/name or service not known|name resolution|no address associated/i, 'EHOSTUNREACH'],
  [/matches no streams|does not contain any stream/i, 'The source has no video'],
  [/dimensions not set/i, 'The source sends no keyframes'],
]

/** The failure that the gateway reports, or else that in ffmpeg's messages, or else `otherwise`. */
export const classifyFailure = (
  gatewayFailure: GatewayFailure | undefined,
  stderrTail: string,
  otherwise: FailureReason,
): FailureReason => gatewayFailure ?? patterns.find(([pattern]) => pattern.test(stderrTail))?.[1] ?? otherwise
