import type { Socket } from 'node:net'
import { pipeline, Transform, type Duplex } from 'node:stream'
import { guarded } from '../guarded.ts'
import { createAuthorizer } from './authorization.ts'
import { connectSource, openGateway, type Gateway, type Passage } from './gateway.ts'
import { createRtspReader, RtspRejection } from './rtsp-answers.ts'
import { createRtspDialogue } from './rtsp-requests.ts'
import { bracketed, type NetworkSource } from './source.ts'

export type RtspGateway = Gateway & {
  /** For ffmpeg; without anything about the camera. */
  address: string
}

const maxOfferCharacters = 2000

/** What a source offers: its media and their codecs, by its SDP, without what differs from time to time. */
const offerIn = (description: string): string =>
  description
    .split(/\r?\n/)
    .filter((line) => /^(?:m=|a=rtpmap:)/.test(line))
    .map((line) => line.replace(/^(m=\S+) \S+/, '$1'))
    .join('\n')
    .slice(0, maxOfferCharacters)

const rewriting = (passage: Passage, read: (chunk: Buffer) => Buffer[]): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        for (const part of read(chunk)) this.push(part)
        done()
      } catch (error) {
        passage.failed(error instanceof RtspRejection ? error.code : 'ProbeError')
        done(error instanceof Error ? error : new Error('Not understood'))
      }
    },
  })

const addressOn = (port: number): string => `rtsp://127.0.0.1:${port}/source`

/**
 * Relays RTSP over TCP, with TLS for rtsps and the credentials of the source. A redirect closes the connection: ffmpeg
 * would follow it itself.
 */
export const openRtspGateway = async (
  source: NetworkSource,
  allowLoopback: boolean,
  first?: Duplex,
): Promise<RtspGateway> => {
  const { scheme, host, port, path, username, password } = source
  const to = `${scheme}://${bracketed(host)}:${port}${path}`
  const hasCredentials = username !== '' || password !== ''
  const serve = (passage: Passage) => async (client: Socket) => {
    const connect = () => connectSource(host, port, scheme === 'rtsps', allowLoopback)
    const camera = passage.first() ?? passage.keep(await connect())
    const dialogue = createRtspDialogue({
      from: addressOn(client.localPort ?? 0),
      to,
      authorizer: hasCredentials ? createAuthorizer({ username, password }) : undefined,
      send: (bytes) => requests.push(bytes),
    })
    const requests = rewriting(passage, dialogue.take)
    const answers = rewriting(
      passage,
      createRtspReader(
        (answer) => {
          const verdict = dialogue.answered(answer)
          if (verdict !== 'held') passage.answered(answer.status)
          return verdict
        },
        (description) => passage.offered(offerIn(description)),
      ),
    )
    const end = guarded('gateway: end', () => {
      camera.destroy()
      client.destroy()
    })
    pipeline(camera, answers, client, end)
    pipeline(client, requests, camera, end)
  }
  const gateway = await openGateway(serve, first)
  return { ...gateway, address: addressOn(gateway.port) }
}
