import { expect, test } from 'vitest'
import { subOf } from '../../../server/streams/substream.ts'
import { corner, move, openMotion } from '../fixtures/motion-search.ts'
import { movingBox, recordVideo } from '../fixtures/motion-video.ts'

test('H.265 is indexed too, from the substream if there is one', async () => {
  const video = await openMotion({ substreamSource: 'rtsp://192.0.2.1/sub' })
  await recordVideo(video, 'door', movingBox({ ...move, from: 40, to: 46 }, 60))
  const h265 = ['-c:v', 'libx265', '-tag:v', 'hvc1', '-x265-params', 'log-level=error:pools=none:open-gop=0']
  await recordVideo(video, subOf('door'), movingBox(move, 60, h265))
  await video.index()
  expect(await video.found(`area=${corner}`)).toMatchObject({
    items: [[20, 26, 'picture']],
    coverage: [[0, 60, 'picture']],
  })
})
