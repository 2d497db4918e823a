const inUrl = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"'\\]+@/gi
const inQuery = /([?&](?:token|password|code|secret|key)=)[^&\s"'\\]+/gi

/** Credentials of URLs are masked wherever they come up in a text: `rtsp://***@host/…`, `?token=***`. */
export const maskSecrets = (text: string): string => text.replace(inUrl, '$1***@').replace(inQuery, '$1***')

/** Logger options: quiet, one JSON object a line on stderr, no secrets. */
export const loggerOptions = (level: string, write: (line: string) => void = (line) => process.stderr.write(line)) => ({
  level,
  base: null,
  redact: {
    paths: ['req.headers', 'headers.cookie', 'headers.authorization', 'headers["share-token"]', '*.password', '*.token'],
    censor: '***',
  },
  stream: { write: (line: string) => write(maskSecrets(line)) },
})
