import type { Socket } from 'node:net'
import { pipeline, Transform } from 'node:stream'
import { guarded } from '../guarded.ts'
import { connectSource, openGateway, type Gateway, type Passage } from './gateway.ts'
import { createRtspReader, RtspRejection } from './rtsp-answers.ts'
import type { NetworkSource } from './source.ts'

/** What a camera sends, as far as it was read and understood; the first thing that wasn't ends the connection. */
const readAnswers = (passage: Passage): Transform => {
  const read = createRtspReader(passage.answered)
  return new Transform({
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
}

/**
 * A relay to one camera by RTSP over TCP; with rtsps it speaks TLS to the camera, and plain RTSP to ffmpeg.
 * RTSP can redirect as well, and ffmpeg would follow on its own: an answer 3xx ends the connection.
 */
export const openRtspGateway = async (source: NetworkSource, allowLoopback: boolean): Promise<Gateway> =>
  openGateway((passage) => async (client: Socket) => {
    const camera = passage.keep(await connectSource(source.host, source.port, source.scheme === 'rtsps', allowLoopback))
    const end = guarded('gateway: end', () => {
      camera.destroy()
      client.destroy()
    })
    pipeline(camera, readAnswers(passage), client, end)
    pipeline(client, camera, end)
  })
