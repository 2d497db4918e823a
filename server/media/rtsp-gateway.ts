import type { Socket } from 'node:net'
import { pipeline, Transform } from 'node:stream'
import { guarded } from '../guarded.ts'
import { connectSource, openGateway, type Gateway, type Passage } from './gateway.ts'
import { createRtspReader, RtspRejection } from './rtsp-answers.ts'
import type { NetworkSource } from './source.ts'

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

/** Relays RTSP over TCP, with TLS for rtsps. A redirect closes the connection: ffmpeg would follow it itself. */
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
