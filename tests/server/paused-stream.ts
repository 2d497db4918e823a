import type { Init, Track } from '../../server/media/fragments.ts'

/** A stream that doesn't record, without its name and source. */
export const row = {
  tags: [],
  location: '',
  marker: '',
  isArchived: true,
  depthHours: -1,
  isOnDemand: false,
  isPaused: true,
  owner: null,
  createdAt: 0,
}

const track: Track = {
  id: 1,
  kind: 'video',
  timescale: 1000,
  codec: 'avc1',
  width: 1,
  height: 1,
  sampleAspect: 1,
  parameterSets: [],
  editStart: 0,
}
/** Of a recording that isn't decoded. */
export const init: Init = { bytes: Buffer.from('init'), tracks: [track], video: track }
