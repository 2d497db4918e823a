import type { FakeRequest, FakeServer } from '../fixtures/fake-server.ts'

const aborted = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_resolve, reject) => {
    const abort = () => reject(signal?.reason)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })

const hasNoBody = (status: number) => [204, 205, 304].includes(status)

/** `fetch` that a fake server answers. */
export const fetchFrom =
  (server: FakeServer): typeof fetch =>
  async (input, { method = 'GET', headers, body, signal } = {}) => {
    signal?.throwIfAborted()
    const request: FakeRequest = {
      method: () => method,
      url: () => new URL(String(input), globalThis.location.href).href,
      headers: () => Object.fromEntries(new Headers(headers)),
      postDataJSON: () => (typeof body === 'string' ? JSON.parse(body) : null),
    }
    const answer = await Promise.race([server.reply(request), aborted(signal)])
    if (answer === 'unreachable') throw new TypeError('Failed to fetch')
    const { status = 200, json = {}, body: bytes, headers: extra = {} } = answer
    if (hasNoBody(status)) return new Response(null, { status, headers: extra })
    if (bytes !== undefined) return new Response(new Uint8Array(bytes), { status, headers: extra })
    return new Response(JSON.stringify(json), { status, headers: { 'content-type': 'application/json', ...extra } })
  }
