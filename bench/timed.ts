import { get, type Agent, type OutgoingHttpHeaders } from 'node:http'

/** Reads the whole answer, compressed as browsers request it, but doesn't parse it: only the server is measured. */
export const timed = (
  agent: Agent,
  url: string,
  headers: OutgoingHttpHeaders,
): Promise<{ ms: number; bytes: number }> =>
  new Promise((done, fail) => {
    const began = performance.now()
    get(url, { agent, headers: { 'accept-encoding': 'gzip', ...headers } }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () => {
        if (response.statusCode === 200) done({ ms: performance.now() - began, bytes })
        else fail(new Error(`${url} answered ${response.statusCode}`))
      })
      response.on('error', fail)
    }).on('error', fail)
  })
