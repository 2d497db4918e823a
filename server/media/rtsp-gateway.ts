import type { Socket } from 'node:net'
import { pipeline, Transform, type Duplex } from 'node:stream'
import { guarded } from '../guarded.ts'
import { createAuthorizer } from './authorization.ts'
import { connectSource, openGateway, type Gateway, type GatewayState } from './gateway.ts'
import { createRtspReader, RtspRejection } from './rtsp-answers.ts'
import { createRtspDialogue } from './rtsp-requests.ts'
import { bracketed, type NetworkSource } from './source.ts'

export type RtspGateway = Gateway & {
  /** The URL for ffmpeg, which names neither camera nor path. */
  url: string
}

const maxOfferCharacters = 2000

/**
 * The offer of a source: the media and codecs of its SDP, without the parts that change from one answer to the next.
 */
const offerIn = (description: string): string =>
  description
    .split(/\r?\n/)
    .filter((line) => /^(?:m=|a=rtpmap:)/.test(line))
    .map((line) => line.replace(/^(m=\S+) \S+/, '$1'))
    .join('\n')
    .slice(0, maxOfferCharacters)

/** Passes on what `read` returns. An error closes the connection. */
const rewriting = (state: GatewayState, read: (chunk: Buffer) => Buffer[]): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        for (const part of read(chunk)) this.push(part)
        done()
      } catch (error) {
        state.noteFailure(error instanceof RtspRejection ? error.code : 'ProbeError')
        done(error instanceof Error ? error : new Error('Invalid RTSP'))
      }
    },
  })

const urlOn = (port: number): string => `rtsp://127.0.0.1:${port}/source`

/**
 * Relays RTSP over TCP, by TLS for rtsps, and adds the credentials of the source. A redirect closes the connection, as
 * ffmpeg would follow it itself.
 */
export const openRtspGateway = async (
  source: NetworkSource,
  allowLoopback: boolean,
  first?: Duplex,
): Promise<RtspGateway> => {
  const { scheme, host, port, path, username, password } = source
  const to = `${scheme}://${bracketed(host)}:${port}${path}`
  const hasCredentials = username !== '' || password !== ''
  const serve = (state: GatewayState) => async (client: Socket) => {
    const connect = () => connectSource(host, port, scheme === 'rtsps', allowLoopback)
    const camera = state.takeFirst() ?? state.track(await connect())
    const dialogue = createRtspDialogue({
      from: urlOn(client.localPort ?? 0),
      to,
      authorizer: hasCredentials ? createAuthorizer({ username, password }) : undefined,
      send: (bytes) => requests.push(bytes),
    })
    const requests = rewriting(state, dialogue.take)
    const readAnswers = createRtspReader(
      (answer) => {
        const verdict = dialogue.answered(answer)
        if (verdict !== 'held') state.noteStatus(answer.status)
        return verdict
      },
      (description) => state.noteOffer(offerIn(description)),
    )
    let hasAnswered = false
    const answers = rewriting(state, (chunk) => {
      hasAnswered = true
      return readAnswers(chunk)
    })
    const end = guarded('gateway: end', () => {
      // A camera that restarts may take connections before it can answer, as may a router before it.
      if (!hasAnswered) state.noteHangUp()
      camera.destroy()
      client.destroy()
    })
    pipeline(camera, answers, client, end)
    pipeline(client, requests, camera, end)
  }
  const gateway = await openGateway(serve, first)
  return { ...gateway, url: urlOn(gateway.port) }
}
